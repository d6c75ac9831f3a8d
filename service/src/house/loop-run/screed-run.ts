import { hoursOf, type ScreedStep, type ScreedTrouble } from '@hypocaust/domain/facts'

const HOUR_MS = 3_600_000

/** What the supply was since the last entry of the record. */
export interface Sample {
  fromMs: number
  readings: number
  sumC: number
  leastC: number
  mostC: number
}

/** The heat-up of a new screed, as far as it is. */
export interface ScreedRun {
  kind: 'screed'
  /** Of its record. */
  id: string
  name: string
  startedMs: number
  /** When the service last looked after it. */
  lookedMs: number
  steps: ScreedStep[]
  loops: { gatewayId: string; channel: number }[]
  /** An interruption that lasts for longer begins the programme anew; null: never. */
  restartAfterMs: number | null
  /** Time of the programme that counts as done. */
  heldMs: number
  /** What is not as the programme asks; `worstK`: the largest difference of the water since then. */
  trouble: { kind: ScreedTrouble; sinceMs: number; worstK: number } | null
  /** Since when the programme stands still, whatever the reasons. */
  stoodSinceMs: number | null
  /** The loops are closed: the water is too hot for the screed. */
  isShut: boolean
  sample: Sample
  /** The end of the record: how many entries it has, and the hash of the last. */
  head: { entries: number; hash: string }
  ended: { atMs: number; because: 'finished' | 'stopped' } | null
}

/** Longer without a measurement, and the source is asked for the coldest water of the programme. */
const UNMEASURED_MS = 30 * 60_000

/** Which step is under way; the last one at the end. */
export function stepAt({ steps, heldMs }: Pick<ScreedRun, 'steps' | 'heldMs'>): number {
  const heldH = heldMs / HOUR_MS
  const at = steps.findIndex((_, i) => heldH < hoursOf(steps.slice(0, i + 1)))
  return at === -1 ? steps.length - 1 : at
}

/** What the heat source is to be asked for. */
export function screedSetC(run: ScreedRun, nowMs: number): number {
  const { steps, trouble } = run
  const isUnmeasured = trouble?.kind === 'not_measured' && nowMs - trouble.sinceMs > UNMEASURED_MS
  return isUnmeasured ? coldestC(run) : (steps[stepAt(run)]?.supply_c ?? 0)
}

/** Of the water of the programme: no step of it is harmed by that. */
export const coldestC = ({ steps }: Pick<ScreedRun, 'steps'>): number =>
  Math.min(...steps.map(({ supply_c }) => supply_c))
