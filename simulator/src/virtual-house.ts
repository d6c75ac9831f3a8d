import { type FloorType, HOUR_MS } from '@hypocaust/domain'
import { Actuator, AirSensor, RELAY, THERMAL_ACTUATOR } from './devices.ts'
import { drawnApart, perturbed, type RoomPhysics, roomPhysics } from './floor.ts'
import { type Random, seededRandom, smoothNoise } from './random.ts'
import { type Boundary, type RoomState, scoredC, settledState, stepRoomState } from './room.ts'
import { type SunPosition, sunPosition, verticalWm2 } from './sun.ts'
import { type Climate, forecastAt, type Weather, weatherAt } from './weather.ts'

export type VirtualRoom = {
  name: string
  channel: number
  sensorId: string
  floorType: FloorType
  facadeDeg: number
  /** Channels of the rooms behind its walls. */
  neighbours: number[]
  /** Water that warms the air, on the loop of a floor that has none. */
  isRadiator?: boolean
}

export type HousePlan = {
  seed: number
  climate: Climate
  startMs: number
  startC: number
  rooms: VirtualRoom[]
  /** By how much each figure of a room may differ from the book; 0.15 unless given. */
  spread?: number
  /** By how much also that may differ which the law takes from the book and never learns; not at all unless given. */
  apart?: number
}

export type HouseReading = {
  sensorId: string
  temperature: number
  humidity: number
  batt: number
  rssi: number
  /** House time. */
  atMs: number
}

type RoomTruth = {
  channel: number
  scoredC: number
  floorC: number
  position: number
  /** All the heat that its floor has taken, per square metre. */
  heatKwhM2: number
  physics: RoomPhysics
}

type Room = {
  plan: VirtualRoom
  physics: RoomPhysics
  state: RoomState
  actuator: Actuator
  sensor: AirSensor
  heatWhM2: number
}

const STEP_S = 60
const SPREAD = 0.15

/** A radiator of about 70 W/m² with water of 50 °C. */
const RADIATOR_WK = 2.4

function physicsOf({ seed, spread = SPREAD, apart }: HousePlan, room: VirtualRoom, random: Random): RoomPhysics {
  const floor = roomPhysics(room.floorType, room.facadeDeg)
  const isRadiator = room.isRadiator && floor.heat.kind === 'water'
  const built = isRadiator ? { ...floor, airShare: 1, heat: { ...floor.heat, pipeWk: RADIATOR_WK } } : floor
  const physics = perturbed(built, spread, random)
  return apart === undefined ? physics : drawnApart(physics, apart, seededRandom(seed * 2003 + room.channel))
}

/** Rooms that share walls, weather and a boiler. Time passes only when a caller advances it: a year in seconds, or live. */
export class VirtualHouse {
  readonly plan: HousePlan
  nowMs: number
  private readonly rooms: Room[]
  private readonly pulled = new Set<string>()
  private readonly openWindows = new Set<number>()
  private boiler: Boundary['supply'] = 'running'
  private suppliedC: number | null = null
  private readonly mixedC = new Map<number, number>()

  constructor(plan: HousePlan) {
    this.plan = plan
    this.nowMs = plan.startMs
    const random = seededRandom(plan.seed)
    this.rooms = plan.rooms.map((room) => ({
      plan: room,
      physics: physicsOf(plan, room, random),
      state: settledState(plan.startC),
      actuator: new Actuator(room.floorType === 'electric' ? RELAY : THERMAL_ACTUATOR),
      sensor: new AirSensor(plan.startC, seededRandom(plan.seed * 1009 + room.channel)),
      heatWhM2: 0,
    }))
  }

  /** Moves the house on; `openByChannel` is the electrical command to each valve, 0 or 1. */
  advance(dtS: number, openByChannel: ReadonlyMap<number, number>): { readings: HouseReading[]; weather: Weather } {
    const readings: HouseReading[] = []
    for (let leftS = dtS; leftS > 0; leftS -= STEP_S) this.step(Math.min(STEP_S, leftS), openByChannel, readings)
    return { readings, weather: this.weather() }
  }

  weather(): Weather {
    return weatherAt(this.plan.climate, this.nowMs)
  }

  /** Hourly from now, as wrong as forecasts are. */
  forecast(hours: number): Weather[] {
    return Array.from({ length: hours }, (_, hour) =>
      forecastAt(this.plan.climate, this.nowMs, this.nowMs + hour * HOUR_MS),
    )
  }

  pullSensor(sensorId: string) {
    this.pulled.add(sensorId)
  }

  plugSensor(sensorId: string) {
    this.pulled.delete(sensorId)
  }

  breatheOn(sensorId: string) {
    this.rooms.find(({ plan }) => plan.sensorId === sensorId)?.sensor.breatheOn()
  }

  failBoiler() {
    this.boiler = 'failed'
  }

  repairBoiler() {
    this.boiler = 'running'
  }

  /** One temperature for all loops with water; null: as the curve of each. */
  setWater(waterC: number | null) {
    this.suppliedC = waterC
  }

  /** A loop behind a mixer gets this instead. */
  mix(channel: number, waterC: number) {
    this.mixedC.set(channel, waterC)
  }

  /** Of all loops with water; null: as the curve of each. */
  get waterC(): number | null {
    return this.suppliedC
  }

  /** Turns the valve on the manifold: a loop gets this multiple of the usual water. */
  setFlow(channel: number, flow: number) {
    for (const room of this.rooms) {
      const { heat } = room.physics
      if (room.plan.channel === channel && heat.kind === 'water')
        room.physics = { ...room.physics, heat: { ...heat, flow } }
    }
  }

  openWindow(channel: number) {
    this.openWindows.add(channel)
  }

  closeWindow(channel: number) {
    this.openWindows.delete(channel)
  }

  /** What no sensor tells: for tests and demonstrations only. */
  truth(): RoomTruth[] {
    return this.rooms.map(({ plan, physics, state, actuator, heatWhM2 }) => ({
      channel: plan.channel,
      scoredC: scoredC(state),
      floorC: state.surfaceC,
      position: actuator.position,
      heatKwhM2: heatWhM2 / 1000,
      physics,
    }))
  }

  private step(dtS: number, openByChannel: ReadonlyMap<number, number>, readings: HouseReading[]) {
    const weather = this.weather()
    const sun = sunPosition(this.nowMs, this.plan.climate.place)
    const walls = new Map(this.rooms.map((room) => [room.plan.channel, room.state.wallC]))
    this.nowMs += dtS * 1000
    for (const room of this.rooms) {
      const position = room.actuator.advance(dtS, openByChannel.get(room.plan.channel) ?? 0)
      const boundary = this.boundary(room, weather, sun, walls)
      room.heatWhM2 += stepRoomState(room.state, room.physics, boundary, position, dtS)
      const reading = this.read(room, weather, dtS)
      if (reading) readings.push(reading)
    }
  }

  private boundary(room: Room, weather: Weather, sun: SunPosition, walls: ReadonlyMap<number, number>): Boundary {
    const { plan, physics } = room
    const beside = plan.neighbours.map((channel) => walls.get(channel) ?? 20)
    return {
      outdoorC: weather.outdoorC,
      windMs: weather.windMs,
      solarGainWm2: physics.solarShare * verticalWm2(sun, weather.solarWm2, plan.facadeDeg),
      internalWm2: this.peopleWm2(plan.channel),
      neighbourC: beside.length === 0 ? 20 : beside.reduce((sum, wallC) => sum + wallC, 0) / beside.length,
      airChange: this.openWindows.has(plan.channel) ? 12 : 1,
      supply: plan.floorType === 'electric' ? 'running' : this.boiler,
      waterC: this.mixedC.get(plan.channel) ?? this.suppliedC,
    }
  }

  /** At home mornings and evenings, more or less. */
  private peopleWm2(channel: number): number {
    const { seed, climate } = this.plan
    const hour = (this.nowMs / HOUR_MS + climate.place.lngDeg / 15 + 24) % 24
    const home = hour >= 6 && hour < 22.5 ? 3.5 : 1.5
    return Math.max(0, home + 1.5 * smoothNoise(seed + channel, this.nowMs / (2 * HOUR_MS)))
  }

  private read(room: Room, weather: Weather, dtS: number): HouseReading | null {
    const { sensorId } = room.plan
    const faults = { lossShare: 0.1, silent: this.pulled.has(sensorId) }
    const packet = room.sensor.advance(dtS, room.state.airC, weather.outdoorC, faults)
    if (!packet) return null
    return { sensorId, ...packet, batt: 81, rssi: -60 - 3 * room.plan.channel, atMs: this.nowMs }
  }
}
