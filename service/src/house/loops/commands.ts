import { type LoopConfirmation, type LoopDetails, type LoopTest, MINUTE_MS } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { isSameLoop, type Loop, runOf, type TrialRun } from '../loop-run/run.ts'
import { isWatched, onlyWatched } from '../rooms/watch.ts'
import { commitRooms, replaceValves } from '../rooms/write.ts'
import { AIR_C, endRun } from './advance.ts'
import { writeRun } from './advance-runs.ts'
import { readLoops, readRun } from './read.ts'

const TEST_MINUTES = 5

/** Opens one loop for some minutes, whatever the control decides. */
export async function startTest(store: Store, clock: Clock, buildingId: string, test: LoopTest): Promise<void> {
  const loop = { gatewayId: test.gateway_id, channel: test.channel }
  const { loops, rooms, valves } = await readLoops(store, buildingId)
  if (!loops.some((each) => isSameLoop(each, loop))) throw noSuchLoop(loop)
  const watched = watchedRoomOf(rooms, valves, loop)
  if (watched) throw onlyWatched(watched.name)
  const nowMs = clock.now()
  const trial = { ...loop, openedMs: nowMs, closedMs: null, power: 1, finding: null }
  const untilMs = nowMs + (test.minutes ?? TEST_MINUTES) * MINUTE_MS
  await start(store, buildingId, { kind: 'test', ...begun(nowMs), untilMs, trials: [trial] }, nowMs)
}

/** Opens one loop after the other and watches which room answers. */
export async function startSearch(store: Store, clock: Clock, buildingId: string): Promise<void> {
  const { loops: all, rooms, valves } = await readLoops(store, buildingId)
  const loops = all.filter((loop) => !watchedRoomOf(rooms, valves, loop))
  if (loops.length === 0) throw errors.invalidValue('No gateway of the building has reported its channels yet.')
  const nowMs = clock.now()
  const measured = rooms.filter(({ temperatureC }) => temperatureC !== null)
  if (measured.length === 0) throw errors.invalidValue('No room of the building has a reading yet.')
  const cold = measured.find(({ temperatureC }) => (temperatureC ?? 0) < AIR_C.coldest)
  if (cold) throw errors.invalidValue(`${cold.name} is colder than ${AIR_C.coldest} °C; warm it up first.`)
  const trials = loops.map((loop) => ({ ...loop, openedMs: null, closedMs: null, power: 0, finding: null }))
  await start(store, buildingId, { kind: 'find', ...begun(nowMs), untilMs: null, trials }, nowMs)
}

/** The room whose valve another thermostat works. */
const watchedRoomOf = (rooms: Room[], valves: (Loop & { roomId: string })[], loop: Loop): Room | undefined => {
  const valve = valves.find((each) => isSameLoop(each, loop))
  return rooms.find((room) => room.id === valve?.roomId && isWatched(room))
}

type Room = { id: string; name: string; watchedSince: number | null }

const noSuchLoop = ({ gatewayId, channel }: Loop) =>
  errors.invalidValue(`gateway_id, channel: the building has no gateway ${gatewayId} with a channel ${channel}.`)

const begun = (nowMs: number) => ({ startedMs: nowMs, sinceMs: nowMs, lookedMs: nowMs, ended: null })

async function start(store: Store, buildingId: string, run: TrialRun, nowMs: number): Promise<void> {
  const { text } = await readRun(store, buildingId)
  const before = runOf(text)
  if (before && !before.ended) throw errors.taken(RUNNING[before.kind])
  if (!(await writeRun(store, buildingId, { from: text, to: run, nowMs }))) throw errors.cameSecond()
}

/** Whatever holds the loops of a building, in words. */
export const RUNNING = {
  test: 'A test of the loops is running; stop it first.',
  find: 'A test of the loops is running; stop it first.',
  screed: 'The heat-up of the screed is running; stop it first.',
} as const

/** Ends the run, if there is one; what it has found stays to be looked at. */
export async function stopRun(store: Store, clock: Clock, buildingId: string): Promise<void> {
  for (;;) {
    const { text } = await readRun(store, buildingId)
    const run = runOf(text)
    if (!run || run.ended) return
    if (run.kind === 'screed') throw errors.taken(RUNNING.screed)
    const nowMs = clock.now()
    if (await writeRun(store, buildingId, { from: text, to: endRun(run, 'stopped', nowMs), nowMs })) return
  }
}

/** Gives loops to rooms as a person has confirmed, and notes that each was tested. The run is over by that. */
export async function confirmLoops(
  store: Store,
  clock: Clock,
  buildingId: string,
  { loops }: LoopConfirmation,
): Promise<void> {
  const { loops: known, rooms, valves, text } = await readLoops(store, buildingId)
  const run = runOf(text)
  if (run && !run.ended) throw errors.taken(RUNNING[run.kind])
  const trials = run?.kind === 'screed' ? null : run
  const given = loops.map(({ gateway_id, channel, room_id }) => ({ gatewayId: gateway_id, channel, roomId: room_id }))
  for (const loop of given) {
    if (!known.some((each) => isSameLoop(each, loop))) throw noSuchLoop(loop)
    if (loop.roomId !== null && !rooms.some(({ id }) => id === loop.roomId))
      throw errors.invalidValue(`room_id: the building has no room ${loop.roomId}.`)
  }
  const kept = valves.filter((valve) => !given.some((loop) => isSameLoop(valve, loop)))
  const after = [...kept, ...given.flatMap(({ roomId, ...loop }) => (roomId === null ? [] : [{ ...loop, roomId }]))]
  const nowMs = clock.now()
  const { db } = store
  await commitRooms(store, clock, buildingId, [
    ...replaceValves(
      store,
      nowMs,
      buildingId,
      rooms.map(({ id }) => ({ roomId: id, valves: after.filter(({ roomId }) => roomId === id) })),
    ),
    ...given.flatMap((loop) => [
      db.deleteFrom('loopTests').where('gatewayId', '=', loop.gatewayId).where('channel', '=', loop.channel),
      db.insertInto('loopTests').values({ ...loop, testedAt: nowMs, certainty: certaintyOf(trials, loop) }),
    ]),
    // While the loops were held, rooms warmed and cooled for no reason the control knows: it learns nothing from that.
    ...(run?.kind === 'find'
      ? rooms.map(({ id }) => db.deleteFrom('roomSlots').where('roomId', '=', id).where('endsAt', '>=', run.startedMs))
      : []),
    db.updateTable('buildings').set({ loopRun: null, loopRunDueAt: null }).where('id', '=', buildingId),
  ])
}

/** What was built in for a loop, in place of what was entered before. */
export async function describeLoop(store: Store, buildingId: string, details: LoopDetails): Promise<void> {
  const loop = { gatewayId: details.gateway_id, channel: details.channel }
  const { loops } = await readLoops(store, buildingId)
  if (!loops.some((each) => isSameLoop(each, loop))) throw noSuchLoop(loop)
  const entered = {
    lengthM: details.length_m,
    spacingMm: details.spacing_mm,
    covering: details.covering,
    designFlow: details.design_flow_l_min,
  }
  await store.db
    .insertInto('loopDetails')
    .values({ ...loop, ...entered })
    .onConflict((conflict) => conflict.columns(['gatewayId', 'channel']).doUpdateSet(entered))
    .execute()
}

/** Null where a person decided otherwise than the search, or without one. */
function certaintyOf(run: TrialRun | null, loop: Loop & { roomId: string | null }): number | null {
  const finding = run?.kind === 'find' && run.trials.find((trial) => isSameLoop(trial, loop))?.finding
  return finding && finding.roomId === loop.roomId ? finding.certainty : null
}
