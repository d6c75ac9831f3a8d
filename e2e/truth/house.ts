import { DAY_MS, type HouseFile, MINUTE_MS } from '@hypocaust/domain'
import { type RoomPhysics, type RoomState, roomPhysics, settledState, stepRoomState } from '@hypocaust/simulator'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { furnish, LAKESIDE } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { Heating } from '../../service/src/house/heating/heating.ts'
import { advanceLoopRuns } from '../../service/src/house/loops/advance-runs.ts'
import { raiseLive } from '../../service/src/house/revisions.ts'

const STEP_MS = 5 * MINUTE_MS
const AREA_M2 = 180
/** Of the thermostat that heats the room which is only watched. */
const ANOTHERS = { belowC: 20, power: 0.6 }

const sensorOf = (n: number) => `a4:c1:38:5e:07:0${n}`
const NIGHT = { from: '22:30', to: '05:30', setback: 2 }

/** Every kind of floor, with and without programme, base warmth, loops and another thermostat. */
export const ROOMS: HouseFile['rooms'] = [
  { name: 'Living room', floor_type: 'timber', target_temperature: 21.5, night_mode: NIGHT },
  { name: 'Kitchen', floor_type: 'screed', target_temperature: 21, night_mode: NIGHT },
  { name: 'Bedroom', floor_type: 'timber', target_temperature: 18.5 },
  { name: 'Bathroom', floor_type: 'screed', target_temperature: 22.5, preset_mode: 'low' as const },
  { name: 'Child’s room', floor_type: 'dry', target_temperature: 20.5, night_mode: NIGHT },
  { name: 'Cellar', floor_type: 'slab', target_temperature: 17 },
  { name: 'Hall', floor_type: 'electric', target_temperature: 19, night_mode: { ...NIGHT, setback: 1 } },
  { name: 'Guest room', floor_type: 'screed', target_temperature: 20, only_watch: true },
].map((room, i) => ({
  ...room,
  floor_type: room.floor_type as 'screed',
  sensor: sensorOf(i + 1),
  area_m2: 15,
  valves: [{ gateway: 'cellar', channel: i + 1 }],
}))

interface Simulated {
  id: string
  name: string
  sensor: string
  physics: RoomPhysics
  state: RoomState
  isMeasured: boolean
}

/** A house of the simulator under the real service and its heating control, on a clock of its own. */
export class SimulatedHouse {
  readonly world: World
  readonly ada: Browser
  readonly buildingId: string
  readonly rooms: Simulated[]
  readonly #heating: Heating
  isConnected = true
  #watchedPower = 0

  readonly gatewayId: string

  private constructor(world: World, ada: Browser, buildingId: string, roomIds: string[], gatewayId: string) {
    this.world = world
    this.gatewayId = gatewayId
    this.ada = ada
    this.buildingId = buildingId
    this.#heating = heatingOf(world)
    this.rooms = ROOMS.map(({ name, floor_type, sensor, target_temperature = 20 }, i) => ({
      id: roomIds[i] as string,
      name,
      sensor,
      physics: roomPhysics(floor_type, AREA_M2),
      state: settledState(target_temperature - 0.5),
      isMeasured: true,
    }))
  }

  static async open(): Promise<SimulatedHouse> {
    const world = await openSite('sqlite')
    const { buildingId, roomIds, gatewayIds } = await furnish(world.store, world.clock, world.holder.accountId, {
      ...LAKESIDE,
      name: 'Truth 1',
      rooms: ROOMS,
    })
    await world.store.db.updateTable('gateways').set({ channels: ROOMS.length, watches: 1 }).execute()
    return new SimulatedHouse(world, await signedIn(world), buildingId, roomIds, gatewayIds[0] as string)
  }

  get nowMs(): number {
    return this.world.clock.now()
  }

  room(name: string): Simulated {
    const room = this.rooms.find((each) => each.name === name)
    if (!room) throw new Error(`no room ${name}`)
    return room
  }

  /** On the website, as its owner. */
  async ask(method: 'PATCH' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<void> {
    const answer = await this.ada.call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    await this.#heating.control(this.buildingId)
  }

  /** The house lives on. */
  async live(ms: number): Promise<void> {
    const { world } = this
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      const powers = await this.#powers()
      for (const room of this.rooms) this.#step(room, powers.get(room.id) ?? 0)
      world.clock.advance(STEP_MS)
      if (this.isConnected) await world.heartbeat(this.gatewayId)
      for (const { sensor, state, isMeasured } of this.rooms)
        if (isMeasured && this.isConnected)
          await world.report(sensor, { temperatureC: Math.round(state.airC * 10) / 10, batteryPct: 80 })
      await world.store.batch([raiseLive.with(world.store, { buildingId: this.buildingId, nowMs: this.nowMs })])
      await advanceLoopRuns(world.store, world.clock, { silentAfterS: 300 })
      await this.#heating.control(this.buildingId)
    }
  }

  #step(room: Simulated, power: number): void {
    const isOther = room.name === 'Guest room'
    if (isOther) this.#watchedPower = room.state.airC < ANOTHERS.belowC ? ANOTHERS.power : 0
    const boundary = {
      outdoorC: outdoorC(this.nowMs),
      windMs: 3.5,
      solarGainWm2: 0,
      internalWm2: 3,
      neighbourC: 20,
      airChange: 1,
      supply: 'running' as const,
    }
    stepRoomState(room.state, room.physics, boundary, isOther ? this.#watchedPower : power, STEP_MS / 1000)
  }

  async #powers(): Promise<Map<string, number>> {
    const rows = await this.world.store.db.selectFrom('rooms').select(['id', 'controlPower']).execute()
    return new Map(rows.map(({ id, controlPower }) => [id, controlPower]))
  }

  async close(): Promise<void> {
    await this.#heating.settled()
    await this.world.close()
  }
}

/** Cold nights, and a milder day. */
const outdoorC = (atMs: number): number => -1 + 4 * Math.sin((2 * Math.PI * (atMs % DAY_MS)) / DAY_MS - 2.2)
