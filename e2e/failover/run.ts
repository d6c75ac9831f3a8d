import { setTimeout as sleep } from 'node:timers/promises'
import { type Kept, keptOf } from './kept.ts'
import type { Servers } from './servers.ts'
import { FailoverStage } from './stage.ts'

export type Kind = 'reads' | 'writes' | 'readings'
const KINDS: Kind[] = ['reads', 'writes', 'readings']

export interface Trial<S extends Servers> {
  name: string
  /** At most so many seconds without; after the promotion, where there is one. */
  most?: { reads?: number; writes?: number; readings?: number }
  /** Resolves to the moment from which another server took writes, where one did. */
  strike(stage: FailoverStage<S>): Promise<number | undefined>
}

export interface Row extends Kept {
  trial: Pick<Trial<Servers>, 'name' | 'most'>
  /** The longest time without, from the strike on. */
  withoutS: Record<Kind, number>
  /** From the moment the other server had taken over, where one had. */
  afterPromotionS: Record<Kind, number> | undefined
  refused: { reads: number; writes: number }
  unanswered: { reads: number; writes: number }
  complaints: string[]
}

const STEADY_MS = 2000

/** One trial on servers that are its own. */
export async function runTrial<S extends Servers>(trial: Trial<S>, servers: S): Promise<Row> {
  const stage = await FailoverStage.start(servers)
  try {
    await sleep(STEADY_MS)
    const { reads, writes } = stage.seen
    for (const seen of [reads, writes]) Object.assign(seen, { refused: 0, unanswered: 0 })
    const struckMs = performance.now()
    const promotedMs = await trial.strike(stage)
    await stage.well()
    await sleep(STEADY_MS)
    await stage.finish()
    const each = (figure: (kind: Kind) => number) =>
      Object.fromEntries(KINDS.map((kind) => [kind, figure(kind)])) as Record<Kind, number>
    return {
      trial,
      ...(await keptOf(stage)),
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
