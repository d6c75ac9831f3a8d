import { AHEAD_MS, type Clock } from '../../base/clock.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { runOf } from '../loop-run/run.ts'
import { RUNS_ADVANCED_EVERY_MS } from '../loops/advance-runs.ts'
import { advanceScreed } from './programme.ts'
import { seenOf } from './seen.ts'
import { writeScreed } from './store.ts'

/** Looks after the programmes that are due: any number of processes may, and the first to write has done it. */
export async function advanceScreeds(store: Store, clock: Clock, availability: Availability): Promise<string[]> {
  const nowMs = clock.now()
  const changed: string[] = []
  const due = [
    ...(await runsDue.all(store, { nowMs })),
    ...(await runsAhead.all(store, { fromMs: nowMs + RUNS_ADVANCED_EVERY_MS + AHEAD_MS })),
  ]
  for (const { id, loopRun: from } of due) {
    const before = runOf(from)
    if (before?.kind !== 'screed') continue
    const seen = await seenOf(store, id, before.loops, availability, nowMs)
    const { run, entries } = advanceScreed(before, seen, nowMs)
    if (await writeScreed(store, { buildingId: id, from, to: run, entries, nowMs })) changed.push(id)
  }
  return changed
}

const runsDue = statement((db, { nowMs }: { nowMs: number }) =>
  db.selectFrom('buildings').select(['id', 'loopRun']).where('loopRunDueAt', '<=', nowMs),
)

/** Due so late only because the clock has been set back: meanwhile nobody would watch the water. */
const runsAhead = statement((db, { fromMs }: { fromMs: number }) =>
  db.selectFrom('buildings').select(['id', 'loopRun']).where('loopRunDueAt', '>', fromMs),
)
