import { setTimeout as sleep } from 'node:timers/promises'
import { type Kept, keptOf } from './kept.ts'
import { FailoverStage } from './stage.ts'
import type { Trial } from './trials.ts'

export type Kind = 'reads' | 'writes' | 'readings'
const KINDS: Kind[] = ['reads', 'writes', 'readings']

export interface Row extends Kept {
  trial: Trial
  /** The longest time without, from the strike on. */
  withoutS: Record<Kind, number>
  /** From the moment the other server had taken over, where one had. */
  afterPromotionS: Record<Kind, number> | undefined
  refused: { reads: number; writes: number }
  unanswered: { reads: number; writes: number }
  complaints: string[]
}

const STEADY_MS = 2000

/** One trial on servers of its own; undefined with its reason where the machine does not allow it. */
export async function runTrial(trial: Trial): Promise<Row | { missing: string }> {
  const stage = await FailoverStage.start(trial.onOwnDisk)
  try {
    if (trial.onOwnDisk && !stage.disk) return { missing: 'no file system may be mounted here' }
    await sleep(STEADY_MS)
    const { reads, writes } = stage.seen
    for (const seen of [reads, writes]) Object.assign(seen, { refused: 0, unanswered: 0 })
    const struckMs = performance.now()
    const promotedMs = await trial.strike(stage)
    await stage.well()
    await sleep(STEADY_MS)
    await stage.finish()
    const { standby, primary } = stage.pair
    const kept = await keptOf(stage, promotedMs === undefined ? primary.url : standby.url)
    const each = (figure: (kind: Kind) => number) =>
      Object.fromEntries(KINDS.map((kind) => [kind, figure(kind)])) as Record<Kind, number>
    return {
      trial,
      ...kept,
      withoutS: each((kind) => stage.courses[kind].longestGapS(struckMs)),
      afterPromotionS: promotedMs === undefined ? undefined : each((kind) => stage.courses[kind].delayS(promotedMs)),
      refused: { reads: reads.refused, writes: writes.refused },
      unanswered: { reads: reads.unanswered, writes: writes.unanswered },
      complaints: [...reads.complaints, ...writes.complaints],
    }
  } finally {
    await stage.remove()
  }
}

/** What the trial must not exceed and did. */
export function missed({ trial: { most = {} }, withoutS, afterPromotionS = withoutS }: Row): string[] {
  return KINDS.flatMap((kind) => {
    const limit = most[kind]
    return limit !== undefined && afterPromotionS[kind] > limit ? [`${kind}: more than ${limit} s`] : []
  })
}
