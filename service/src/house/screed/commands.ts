import { randomUUIDv7 } from 'node:crypto'
import { HOUR_MS, type ScreedStart, timestampOf } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { actorNow } from '../change-log/actor.ts'
import { runOf } from '../loop-run/run.ts'
import type { ScreedRun } from '../loop-run/screed-run.ts'
import { RUNNING } from '../loops/commands.ts'
import { ENERGY_COLUMNS } from '../source/settings.ts'
import { supplyLimitsOf } from '../source/supply.ts'
import type { Entry } from './entries.ts'
import { emptySample, endScreed, stepEntry } from './programme.ts'
import { seenOf } from './seen.ts'
import { programmeOf } from './steps.ts'
import { writeScreed } from './store.ts'

interface Parts {
  store: Store
  clock: Clock
  availability: Availability
}

/** The building with the loops of its water-heated rooms that no other thermostat works. */
export async function screedHouse({ db }: Store, buildingId: string) {
  const building = await db
    .selectFrom('buildings')
    .select(['id', 'name', 'timezone', 'loopRun', ...ENERGY_COLUMNS])
    .where('id', '=', buildingId)
    .executeTakeFirstOrThrow(() => errors.noSuchBuilding(buildingId))
  const valves = await db
    .selectFrom('valves')
    .innerJoin('rooms', 'rooms.id', 'valves.roomId')
    .select(['valves.gatewayId', 'valves.channel', 'rooms.name'])
    .where('rooms.buildingId', '=', buildingId)
    .where('rooms.floorType', '!=', 'electric')
    .where('rooms.watchedSince', 'is', null)
    .orderBy('valves.gatewayId')
    .orderBy('valves.channel')
    .execute()
  return { building, valves }
}

export async function startScreed(parts: Parts, buildingId: string, start: ScreedStart): Promise<void> {
  const { store, clock, availability } = parts
  const { building, valves } = await screedHouse(store, buildingId)
  const before = runOf(building.loopRun)
  if (before && !before.ended) throw errors.taken(RUNNING[before.kind])
  const limits = supplyLimitsOf(building)
  if (!limits)
    throw errors.invalidValue('The service does not ask the heat source for water: set supply.max of it first.')
  const { name, steps } = programmeOf(start, limits)
  const loops = valves.map(({ gatewayId, channel }) => ({ gatewayId, channel }))
  if (loops.length === 0) throw errors.invalidValue('No loop is assigned to a room with water in its floor.')
  const nowMs = clock.now()
  const { water } = await seenOf(store, buildingId, loops, availability, nowMs)
  if (water === null) throw errors.invalidValue('No gateway measures the supply temperature: nothing could be proven.')
  const hours = start.restart_after_hours
  const run: ScreedRun = {
    kind: 'screed',
    id: randomUUIDv7(),
    name,
    startedMs: nowMs,
    lookedMs: nowMs,
    steps,
    loops,
    restartAfterMs: hours === null ? null : hours * HOUR_MS,
    heldMs: 0,
    trouble: null,
    stoodSinceMs: null,
    isShut: false,
    sample: emptySample(nowMs),
    head: { entries: 0, hash: '' },
    ended: null,
  }
  const at = timestampOf(nowMs)
  const rooms = [...new Set(valves.map((valve) => valve.name))]
  const started = { building: building.name, programme: name, steps, rooms, loops: loops.length, by: whoNow() }
  const entries: Entry[] = [
    { at, kind: 'started', ...started, restart_after_hours: hours },
    { at, ...stepEntry(run) },
  ]
  const from = building.loopRun
  if (!(await writeScreed(store, { buildingId, from, to: run, entries, nowMs }))) throw errors.cameSecond()
}

/** Ends the programme, if one runs. Its record stays. */
export async function stopScreed({ store, clock, availability }: Parts, buildingId: string): Promise<void> {
  for (;;) {
    const { building } = await screedHouse(store, buildingId)
    const from = building.loopRun
    const before = runOf(from)
    if (before?.kind !== 'screed' || before.ended) return
    const nowMs = clock.now()
    const seen = await seenOf(store, buildingId, before.loops, availability, nowMs)
    const { run, entries } = endScreed(before, seen, whoNow(), nowMs)
    if (await writeScreed(store, { buildingId, from, to: run, entries, nowMs })) return
  }
}

/** A record cannot be changed when an account is removed, so it names no person. */
function whoNow(): string {
  const { role, kind } = actorNow()
  return role ?? kind
}
