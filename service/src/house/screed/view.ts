import { type AppScreed, HOUR_MS, type ScreedRecord, timestampOf } from '@hypocaust/domain'
import { hoursOf } from '@hypocaust/domain/facts'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { runOf } from '../loop-run/run.ts'
import { type ScreedRun, screedSetC, stepAt } from '../loop-run/screed-run.ts'
import { supplyLimitsOf } from '../source/supply.ts'
import { screedHouse } from './commands.ts'
import { brokenAt, hasGap, isEnded, signed } from './record.ts'
import { seenOf } from './seen.ts'
import { linksOf } from './store.ts'

export async function screedOf(
  { store, clock, availability }: { store: Store; clock: Clock; availability: Availability },
  buildingId: string,
): Promise<AppScreed> {
  const nowMs = clock.now()
  const { building, valves } = await screedHouse(store, buildingId)
  const run = runOf(building.loopRun)
  const limits = supplyLimitsOf(building)
  const loops = valves.map(({ gatewayId, channel }) => ({ gatewayId, channel }))
  const { water } = await seenOf(store, buildingId, loops, availability, nowMs)
  return {
    min: limits?.leastC ?? null,
    max: limits?.mostC ?? null,
    measured: water?.mostC ?? null,
    loops: valves.length,
    run: run?.kind === 'screed' ? runView(run, nowMs) : null,
    records: await recordsOf(store, buildingId),
  }
}

function runView(run: ScreedRun, nowMs: number): AppScreed['run'] {
  const { id, name, steps, trouble, ended } = run
  return {
    id,
    name,
    started_at: timestampOf(run.startedMs),
    steps,
    step: stepAt(run),
    held_hours: Math.round((run.heldMs / HOUR_MS) * 10) / 10,
    all_hours: hoursOf(steps),
    supply_c: screedSetC(run, nowMs),
    trouble: trouble?.kind ?? null,
    trouble_since: trouble && timestampOf(trouble.sinceMs),
    ended_at: ended && timestampOf(ended.atMs),
    ended_because: ended?.because ?? null,
  }
}

/** The newest first. */
async function recordsOf({ db }: Store, buildingId: string): Promise<AppScreed['records']> {
  const rows = await db
    .selectFrom('screedRecords')
    .select(({ fn }) => ['runId', fn.max('n').as('last'), fn.min('text').as('first')])
    .where('buildingId', '=', buildingId)
    .groupBy('runId')
    .orderBy('runId', 'desc')
    .execute()
  // An entry begins with its time, so the smallest text is one of the first moment.
  return rows.map(({ runId, last, first }) => ({
    id: runId,
    started_at: JSON.parse(first).at,
    entries: Number(last) + 1,
  }))
}

/** The whole record, checked and signed. */
export async function screedRecordOf(
  store: Store,
  authSecret: string,
  { buildingId, recordId }: { buildingId: string; recordId: string },
): Promise<ScreedRecord> {
  const { building } = await screedHouse(store, buildingId)
  const entries = await linksOf(store, buildingId, recordId)
  if (entries.length === 0) throw errors.noSuch('record', recordId)
  const changed_at = brokenAt(entries)
  return {
    format: 'hypocaust-screed-record-1',
    building: building.name,
    timezone: building.timezone,
    id: recordId,
    entries,
    changed_at,
    has_gap: changed_at === null && hasGap(entries),
    is_ended: changed_at === null && isEnded(entries),
    signature: signed(authSecret, recordId, entries),
  }
}
