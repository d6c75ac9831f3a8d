import { fitRoom, type RoomControl, type Slot, stepRoom } from '@hypocaust/control'
import { type FloorType, HOUR_MS, MAX_FLOOR_C } from '@hypocaust/domain'
import { type RoomState, roomPhysics, settledState, stepRoomState } from '@hypocaust/simulator'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, HOUSE, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld } from '@hypocaust/testing/world.ts'
import { expect, test } from 'vitest'
import { placeKey } from '../src/house/weather/weather.ts'

const STEP_S = 300
const STEPS_A_DAY = 288
const HEALTHY_DAYS = 1
const TARGET_C = 20
const FROST = { outdoorC: -5, cloudPct: 100, windMs: 3.5, solarWm2: 0 }

/** A room of the simulator at −5 °C outdoors. */
class SimulatedRoom {
  readonly floorType: FloorType
  readonly thermal: RoomState
  state: RoomControl | null
  slots: Slot[] = []
  power = 0

  constructor(floorType: FloorType, thermal = settledState(TARGET_C), state: RoomControl | null = null) {
    this.floorType = floorType
    this.thermal = thermal
    this.state = state
  }

  copy(): SimulatedRoom {
    const { floorType, thermal, state } = this
    return new SimulatedRoom(floorType, structuredClone(thermal), structuredClone(state))
  }

  get airC() {
    return Math.round(10 * this.thermal.airC) / 10
  }

  advance(supply: 'running' | 'failed') {
    const boundary = { ...FROST, solarGainWm2: 0, internalWm2: 3, neighbourC: 20, airChange: 1, supply }
    stepRoomState(this.thermal, roomPhysics(this.floorType, 180), boundary, this.power, STEP_S)
  }

  /** One step of the law outside the service. */
  control(nowMs: number, others: SimulatedRoom[]) {
    const { floorType } = this
    const step = stepRoom(this.state, {
      nowMs,
      floorType,
      location: HOUSE.location,
      settings: {
        targetC: TARGET_C,
        bandK: 0.5,
        strategy: 'hold',
        programme: null,
        override: null,
        away: null,
        presetMode: 'none',
        steering: { kind: 'automatic' },
        maxFloorC: MAX_FLOOR_C,
        frostProtection: true,
        timeZone: HOUSE.timezone,
      },
      air: { kind: 'fresh', airC: this.airC, ageS: 0 },
      floorProbeC: null,
      weather: FROST,
      forecast: null,
      appliedPower: null,
      otherRooms: others.flatMap(({ state }) => state?.source.evidence ?? []),
    })
    this.state = step.state
    this.power = step.power
    if (step.slot) this.slots.push(step.slot)
  }
}

/** A day with heat, and what was learned of it: a house that is not known well yet. */
function healthyHouse(untilMs: number): SimulatedRoom[] {
  const rooms = HOUSE.rooms.map(({ floor_type }) => new SimulatedRoom(floor_type))
  const steps = HEALTHY_DAYS * STEPS_A_DAY
  for (let step = 1; step <= steps; step++) {
    for (const room of rooms) {
      room.advance('running')
      room.control(
        untilMs - (steps - step) * STEP_S * 1000,
        rooms.filter((other) => other !== room),
      )
      if (step % STEPS_A_DAY === 0) room.state = room.state && fitRoom(room.state, room.slots)
    }
  }
  return rooms
}

/** The same failure in a room that hears of no other. */
function noticedAloneAfterH(room: SimulatedRoom, startMs: number): number {
  let step = 0
  while (room.state?.source.kind === 'fine') {
    step += 1
    room.advance('failed')
    room.control(startMs + step * STEP_S * 1000, [])
  }
  return (step * STEP_S) / 3600
}

test('a heat source that fails is noticed within six hours of frost, because all rooms miss their heat at once', async () => {
  const world = await openWorld('sqlite')
  const { store, clock, holder } = world
  const startMs = Math.ceil(clock.now() / HOUR_MS) * HOUR_MS
  clock.advance(startMs - clock.now())
  const rooms = healthyHouse(startMs)
  const lonely = rooms.map((room) => room.copy())
  expect(rooms.map(({ state }) => state?.source.kind)).toEqual(['fine', 'fine'])
  const forecast = JSON.stringify({ startMs, hourly: new Array(72).fill(FROST) })
  await store.db
    .insertInto('forecasts')
    .values({ place: placeKey(HOUSE.location), forecast, updatedAt: startMs, dueAt: 0 })
    .execute()
  for (const [i, { state }] of rooms.entries())
    await store.db
      .insertInto('controlStates')
      .values({ roomId: holder.roomIds[i] as string, version: 1, state: JSON.stringify(state) })
      .execute()
  const heating = heatingOf(world)

  const noticed: (number | null)[] = [null, null]
  for (let step = 1; step <= 6 * 12 && noticed.includes(null); step++) {
    clock.advance(STEP_S * 1000)
    await world.gatewaysReport()
    for (const [i, sensor] of [BATHROOM_SENSOR, LIVING_ROOM_SENSOR].entries()) {
      rooms[i]?.advance('failed')
      await world.report(sensor, { temperatureC: rooms[i]?.airC ?? 0 })
    }
    await heating.control(holder.buildingId)
    const stored = await store.db.selectFrom('controlStates').select(['roomId', 'state']).execute()
    const powers = await store.db.selectFrom('rooms').select(['id', 'controlPower']).execute()
    for (const [i, roomId] of holder.roomIds.entries()) {
      const room = rooms[i] as SimulatedRoom
      room.power = powers.find(({ id }) => id === roomId)?.controlPower ?? 0
      const state = JSON.parse(stored.find((row) => row.roomId === roomId)?.state ?? '{}') as RoomControl
      if (state.source.kind !== 'fine') noticed[i] ??= step / 12
    }
  }
  expect(noticed).not.toContain(null)
  const alone = lonely.map((room) => noticedAloneAfterH(room, startMs))
  expect(Math.max(...(noticed as number[]))).toBeLessThan(Math.max(...alone))
  await heating.settled()
  await world.close()
})
