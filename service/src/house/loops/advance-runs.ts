import { MINUTE_MS, READING_STALE_AFTER_MS } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { type LoopRun, openTrial, runOf, type TrialRun } from '../loop-run/run.ts'
import { screedSetC } from '../loop-run/screed-run.ts'
import { nextRevision } from '../revisions.ts'
import { addressesOf, withOtherSensors } from '../room-sensors.ts'
import { weatherFor } from '../weather/weather.ts'
import { advanceRun, type Seen, type SeenRoom } from './advance.ts'

export const RUNS_ADVANCED_EVERY_MS = MINUTE_MS
const UNKNOWN_OUTDOOR_C = 5

/** Looks after the runs that are due: any number of processes may, and the first to write has done it. */
export async function advanceLoopRuns(store: Store, clock: Clock, availability: Availability): Promise<string[]> {
  const nowMs = clock.now()
  const due = await runsDue.all(store, { nowMs })
  const changed: string[] = []
  for (const { id, loopRun, ...location } of due) {
    const run = runOf(loopRun)
    if (!run || run.kind === 'screed') continue
    const next = advanceRun(run, await seenBy(store, id, location, run, availability, nowMs), nowMs)
    if (await writeRun(store, id, { from: loopRun, to: next, nowMs })) changed.push(id)
  }
  return changed
}

const runsDue = statement((db, { nowMs }: { nowMs: number }) =>
  db.selectFrom('buildings').select(['id', 'lat', 'lng', 'loopRun']).where('loopRunDueAt', '<=', nowMs),
)

/** False when another process was faster. */
export async function writeRun(store: Store, buildingId: string, change: RunChange): Promise<boolean> {
  const [written] = await store.batch([runWrite(store, buildingId, change)])
  return written?.affectedRows !== 0
}

interface RunChange {
  from: string | null
  to: LoopRun | null
  nowMs: number
}

/** The run as it is to be from now on, unless it is not what it was any more. */
export function runWrite({ db }: Store, buildingId: string, { from, to, nowMs }: RunChange): Compilable {
  return db
    .updateTable('buildings')
    .set({
      loopRun: to === null ? null : JSON.stringify(to),
      loopRunDueAt: dueAt(to, nowMs),
      // By this the control follows, and sends the valves what they are to do now.
      ...(isFelt(runOf(from), to) && { revisedAt: nextRevision(nowMs) }),
    })
    .where('id', '=', buildingId)
    .where('loopRun', from === null ? 'is' : '=', from)
}

function dueAt(run: LoopRun | null, nowMs: number): number | null {
  if (!run || run.ended) return null
  if (run.kind === 'screed') return nowMs + RUNS_ADVANCED_EVERY_MS
  return Math.min(run.untilMs ?? Number.POSITIVE_INFINITY, nowMs + RUNS_ADVANCED_EVERY_MS)
}

/** Whether a valve is to do something else now. */
function isFelt(before: LoopRun | null, after: LoopRun | null): boolean {
  const held = (run: LoopRun | null) => {
    if (!run || run.ended) return null
    if (run.kind === 'screed') return [run.id, run.isShut, screedSetC(run, run.lookedMs)]
    return [openTrial(run)?.openedMs, openTrial(run)?.channel]
  }
  return JSON.stringify(held(before)) !== JSON.stringify(held(after))
}

async function seenBy(
  store: Store,
  buildingId: string,
  location: Seen['location'],
  run: TrialRun,
  { silentAfterS }: Availability,
  nowMs: number,
): Promise<Seen> {
  const [rooms, gateways, { weather }] = await Promise.all([
    roomsSeen(store, buildingId, run, nowMs),
    store.db.selectFrom('gateways').select(['id', 'lastSeenAt']).where('buildingId', '=', buildingId).execute(),
    weatherFor(store, location, nowMs),
  ])
  const reached = gateways.filter(({ lastSeenAt }) => nowMs - (lastSeenAt ?? 0) <= silentAfterS * 1000)
  return {
    rooms,
    location,
    outdoorC: weather?.outdoorC ?? UNKNOWN_OUTDOOR_C,
    isReached: (gatewayId) => reached.some(({ id }) => id === gatewayId),
  }
}

async function roomsSeen(store: Store, buildingId: string, run: TrialRun, nowMs: number): Promise<SeenRoom[]> {
  const rows = await store.db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .leftJoin('sensors as floor', 'floor.id', 'rooms.floorSensorId')
    .where('rooms.buildingId', '=', buildingId)
    .select(['rooms.id', 'rooms.buildingId', 'rooms.floorType', 'rooms.maxFloorC', 'rooms.otherSensors'])
    .select(['sensors.address as sensorAddress', 'sensors.temperatureC', 'sensors.humidityPct', 'sensors.measuredAt'])
    .select(['floor.temperatureC as floorC', 'floor.measuredAt as floorMeasuredAt'])
    .execute()
  const rooms = await withOtherSensors(store, rows)
  // A test needs only the newest readings.
  const readings = run.kind === 'find' ? await readingsSince(store, buildingId, run.sinceMs) : []
  return rooms.map(({ id, floorType, maxFloorC, ...newest }) => ({
    roomId: id,
    floorType,
    maxFloorC,
    readings: readingsOf(newest, readings).map(({ measuredAt, temperatureC }) => ({
      atMs: measuredAt,
      airC: temperatureC,
    })),
    airC: fresh(newest.temperatureC, newest.measuredAt, nowMs),
    floorC: fresh(newest.floorC, newest.floorMeasuredAt, nowMs),
  }))
}

export const readingsSince = ({ db }: Store, buildingId: string, sinceMs: number) =>
  db
    .selectFrom('sensors')
    .innerJoin('readings', 'readings.sensorId', 'sensors.id')
    .select(['sensors.address', 'readings.measuredAt', 'readings.temperatureC'])
    .where('sensors.buildingId', '=', buildingId)
    .where('readings.measuredAt', '>=', sinceMs)
    .orderBy('readings.measuredAt')
    .execute()

/** Of one sensor of the room, the first that has been heard: a loop is found by a rise, which two would blur. */
export function readingsOf<Reading extends { address: string }>(
  room: Parameters<typeof addressesOf>[0],
  readings: Reading[],
): Reading[] {
  const heard = addressesOf(room).find((address) => readings.some((reading) => reading.address === address))
  return readings.filter(({ address }) => address === heard)
}

function fresh(temperatureC: number | null, measuredAt: number | null, nowMs: number): number | null {
  if (temperatureC === null || measuredAt === null || nowMs - measuredAt > READING_STALE_AFTER_MS) return null
  return temperatureC
}
