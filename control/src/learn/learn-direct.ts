import { changeK, type Direct, featuresOf, JUDGED_SLOTS, type Regression } from '../model/direct.ts'
import { solveSymmetric } from '../model/linear.ts'
import type { Learned } from '../model/model.ts'
import { SENSED, SIZE } from '../model/motion.ts'
import { SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'
import { Replayer, settledGain, type Tape } from './replay.ts'

const FEWEST_EXAMPLES = 96
/** Of the variance of a feature: keeps those apart that move together. */
const RIDGE = 0.05
const FLAT = 1e-6
const FORGOTTEN_AFTER_SLOTS = 7 * 48
const SLOT_MS = SLOT_S * 1000

/** What model and regressions have missed since the last fit, then the regressions learned anew. */
export function learnDirect(
  tape: Tape,
  before: Learned,
  learned: Learned,
  known: Direct | null,
  sinceMs: number,
): Direct | null {
  const means = new Replayer(tape, learned).filtered(settledGain(tape.floorType, learned))
  const regressions = JUDGED_SLOTS.map((slots) => regressed(examplesOf(tape, means, slots)))
  if (!regressions.every((each) => each !== null)) return known
  return { regressions, missed: known && judged(tape, before, known, sinceMs) }
}

/** Kept with the state of the room: more digits say nothing. */
const short = (value: number): number => Number(value.toPrecision(4))

type Example = { start: number; features: number[]; airC: number; endC: number }

/** One for each undisturbed half hour from which the time ahead is recorded without a gap. */
function examplesOf({ slots, disturbed, time }: Tape, means: Float64Array, ahead: number): Example[] {
  return slots.flatMap(({ airC, endMs }, start): Example[] => {
    const [end, endC] = [start + ahead, slots[start + ahead]?.airC ?? null]
    if (airC === null || endC === null || (slots[end] as Slot).endMs - endMs !== ahead * SLOT_MS) return []
    if (disturbed.subarray(start, end + 1).includes(1)) return []
    const mean = means.subarray(start * SIZE, (start + 1) * SIZE)
    const localEndMs = ((time[end] as number) + 1) * SLOT_MS
    return [{ start, airC, endC, features: featuresOf({ airC, mean }, slots.slice(start + 1, end + 1), localEndMs) }]
  })
}

/** Ridge on features in spreads from their mean. */
function regressed(examples: Example[]): Regression | null {
  const n = examples[0]?.features.length ?? 0
  if (examples.length < FEWEST_EXAMPLES) return null
  const mean = (value: (example: Example) => number) =>
    examples.reduce((sum, example) => sum + value(example), 0) / examples.length
  const each = Array.from({ length: n }, (_, i) => i)
  const centre = each.map((i) => mean(({ features }) => features[i] as number))
  const scale = each.map((i) => {
    const spread = Math.sqrt(mean(({ features }) => ((features[i] as number) - (centre[i] as number)) ** 2))
    return spread > FLAT ? spread : 1
  })
  const meanK = mean(({ airC, endC }) => endC - airC)
  const matrix = new Float64Array(n * n)
  const right = new Float64Array(n)
  for (const { features, airC, endC } of examples) {
    const spreads = features.map((feature, i) => (feature - (centre[i] as number)) / (scale[i] as number))
    for (let i = 0; i < n; i++) {
      right[i] = (right[i] as number) + ((spreads[i] as number) * (endC - airC - meanK)) / examples.length
      for (let j = 0; j < n; j++)
        matrix[i * n + j] =
          (matrix[i * n + j] as number) + ((spreads[i] as number) * (spreads[j] as number)) / examples.length
    }
  }
  for (let i = 0; i < n; i++) matrix[i * n + i] = (matrix[i * n + i] as number) + RIDGE
  const weights = solveSymmetric(matrix, right, n)
  return (
    weights && {
      meanK: short(meanK),
      centre: centre.map(short),
      scale: scale.map(short),
      weights: [...weights].map(short),
    }
  )
}

/** Mean squares over the predictions that have come due since, each made with what had been learned before. */
function judged(tape: Tape, learned: Learned, { regressions, missed }: Direct, sinceMs: number): Direct['missed'] {
  const replayer = new Replayer(tape, learned)
  const means = replayer.filtered(settledGain(tape.floorType, learned))
  const squares = JUDGED_SLOTS.map((ahead, horizon) => {
    const due = examplesOf(tape, means, ahead).filter(
      ({ start }) => (tape.slots[start + ahead] as Slot).endMs > sinceMs,
    )
    const mean = new Float64Array(SIZE)
    let [model, direct] = [0, 0]
    for (const { start, airC, endC, features } of due) {
      mean.set(means.subarray(start * SIZE, (start + 1) * SIZE))
      for (let slot = 1; slot <= ahead; slot++) replayer.advance(mean, 0, start + slot)
      model += ((mean[SENSED] as number) - endC) ** 2
      direct += (airC + changeK(regressions[horizon] as Regression, features) - endC) ** 2
    }
    return { count: due.length, model, direct }
  })
  const updated = (which: 'model' | 'direct') =>
    squares.map((sums, horizon) => {
      const known = missed?.[which][horizon]
      if (sums.count === 0) return known ?? 0
      const kept = known === undefined ? 0 : Math.exp(-sums.count / FORGOTTEN_AFTER_SLOTS)
      return short(kept * (known ?? 0) + ((1 - kept) * sums[which]) / sums.count)
    })
  return { model: updated('model'), direct: updated('direct') }
}
