import type { Decision, Slot } from '@hypocaust/control'
import { CHECKS_OF, DAY_MS, HOUR_MS, timestampOf } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { learnRoom } from '@hypocaust/testing/learned-room.ts'
import { type Pair, slotsOfTwo } from '@hypocaust/testing/two-rooms.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepExamination } from '../src/house/diagnosis/examine.ts'
import { Replays } from '../src/house/replays/replays.ts'

const FLOORS: Pair['floors'] = ['screed', 'dry']

describe.each(ENGINES)('what is probably wrong with a room, on %s', (engine) => {
  let world: World
  let neighbourId = ''
  const replays = new Replays(HOUR_MS)
  beforeAll(async () => {
    world = await openWorld(engine)
    neighbourId = world.holder.roomIds.find((id) => id !== world.bathroomId) ?? ''
    for (const [i, roomId] of rooms().entries())
      await world.store.db.updateTable('rooms').set({ floorType: FLOORS[i] }).where('id', '=', roomId).execute()
    for (const roomId of rooms()) await learnRoom(world.store, roomId, 1, world.clock.now())
  })
  afterAll(async () => {
    await replays.stop()
    await world.close()
  })

  const rooms = () => [world.bathroomId, neighbourId]
  const path = (roomId = world.bathroomId) => `${world.roomsPath}/${roomId}/diagnosis`

  /** The half hours of bathroom and neighbour, as two rooms would have them, and what each of them then says. */
  async function examined(pair: Omit<Pair, 'floors' | 'sensors'> & Partial<Pair>): Promise<void> {
    const { store, clock, holder } = world
    const startMs = Math.floor((clock.now() - pair.days * DAY_MS) / HOUR_MS) * HOUR_MS
    const slots = slotsOfTwo({ floors: FLOORS, sensors: [0, 1], ...pair }, startMs)
    for (const [i, roomId] of rooms().entries()) {
      await store.db.deleteFrom('roomSlots').where('roomId', '=', roomId).execute()
      await store.db
        .insertInto('roomSlots')
        .values((slots[i] ?? []).map(rowOf(roomId)))
        .execute()
    }
    for (const roomId of rooms())
      await keepExamination({ store, replays }, { buildingId: holder.buildingId, roomId }, clock.now())
  }

  const rowOf = (roomId: string) => (slot: Slot) => ({ roomId, endsAt: slot.endMs, slot: JSON.stringify(slot) })

  test('is null while too little is known, and nothing of a healthy room', async () => {
    expect((await world.get(path())).text).toBe('null')
    await examined({ days: 1 })
    expect((await world.get(path())).text).toBe('null')
    await examined({ days: 6 })
    const { status, json } = await world.get(path())
    expect([status, json]).toEqual([
      200,
      {
        examined_at: timestampOf(world.clock.now()),
        causes: [],
        evidence: {
          from: expect.any(String),
          step_s: 7200,
          measured: [],
          healthy: [],
          with_cause: [],
        },
      },
    ])
  })

  test('is named with its probability, what shows it, and what to check first', async () => {
    await examined({ days: 4, stuck: [0], outdoorC: -5 })
    const { json } = await world.get(path())
    expect(json.causes[0]).toEqual({
      cause: 'actuator_stuck_closed',
      probability: expect.closeTo(1, 1),
      began_at: expect.any(String),
      other_room_id: null,
      checks: CHECKS_OF.actuator_stuck_closed,
    })
    const { measured, healthy, with_cause } = json.evidence
    expect(measured.length).toBeGreaterThan(40)
    expect([healthy.length, with_cause.length]).toEqual([measured.length, measured.length])
    expect((await world.get(path(neighbourId))).json.causes).toEqual([])
    expect((await world.get(path(), { key: world.stranger.readKey })).status).toBe(404)
  })

  test('names the other room of two that are swapped', async () => {
    await examined({ days: 6, sensors: [1, 0] })
    expect((await world.get(path())).json.causes[0]).toMatchObject({
      cause: 'sensors_swapped',
      other_room_id: neighbourId,
    })
  })

  test('is weighed for the room that is asked for, and not for its neighbours', async () => {
    await examined({ days: 4, stuck: [0, 1], outdoorC: -5 })
    const kept = world.store.db.selectFrom('roomExaminations').select('examination').where('roomId', '=', neighbourId)
    // What only a diagnosis of the neighbour itself would need.
    const { sinceMs: _, ...others } = JSON.parse((await kept.executeTakeFirstOrThrow()).examination)
    const row = { examination: JSON.stringify(others) }
    await world.store.db.updateTable('roomExaminations').set(row).where('roomId', '=', neighbourId).execute()
    expect((await world.get(path())).json.causes[0].cause).toBe('source_without_heat')
  })

  test('is said in the alerts of the room that leave open why', async () => {
    await examined({ days: 4, stuck: [0], outdoorC: -5 })
    await world.heartbeat(world.holder.gatewayIds[0])
    await decide({ notices: ['model-broken'], rung: 'pi' })
    const { json } = await world.get(`${world.buildingPath}/alerts`)
    expect(json.find(({ kind }: { kind: string }) => kind === 'model_broken').diagnosis).toEqual({
      cause: 'actuator_stuck_closed',
      probability: expect.closeTo(1, 1),
    })
  })

  test('is not said of a room that another thermostat heats, nor after three days without a look', async () => {
    const watch = (watchedSince: number | null) =>
      world.store.db.updateTable('rooms').set({ watchedSince }).where('id', '=', world.bathroomId).execute()
    await watch(world.clock.now())
    expect((await world.get(path())).text).toBe('null')
    await watch(null)
    expect((await world.get(path())).json.causes).toHaveLength(1)
    world.clock.advance(3 * DAY_MS)
    expect((await world.get(path())).text).toBe('null')
  })

  async function decide(changes: Partial<Decision>): Promise<void> {
    const atMs = world.clock.now()
    const decision: Decision = {
      atMs,
      timeZone: 'Europe/Oslo',
      mode: 'heat',
      power: 1,
      share: 1,
      rung: 'measured',
      notices: [],
      caps: [],
      air: { airC: 18, ageS: 30 },
      estimate: null,
      outdoorC: -5,
      aim: { targetC: 20, lowC: 19.5, highC: 20.5, occupied: true, reason: 'target' },
      without: null,
      warmsForMs: null,
      maxFloorC: 29,
      confidence: 0.5,
      ...changes,
    }
    const row = { roomId: world.bathroomId, decidedAt: atMs, power: 1, targetC: 20, decision: JSON.stringify(decision) }
    await world.store.db.insertInto('decisions').values(row).execute()
  }
})
