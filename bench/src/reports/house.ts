import { type DesignedRoom, FITTED_DAYS, type RoomControl, type Slot, type StepInput } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { demoHouse, seededRandom, supplyC, VirtualHouse } from '@hypocaust/simulator'
import { HeatedRoom } from '../energy/heated-room.ts'
import { atRest, type Rest } from './truth.ts'

/** Whether a gateway measures the water: without it the law knows only how warm the rooms become. */
export type Water = 'measured' | 'unknown'

const START_MS = Date.UTC(2026, 0, 5)
const SPREAD = 0.3
const ASKED_EVERY_MS = 5 * MINUTE_MS
const WEATHER_EVERY_MS = 15 * MINUTE_MS
const FITTED_EVERY_DAYS = 7
const FIT_HOUR = 3
const JUDGED_DAYS = 14
/** The curve that the installer has set, above that of the book, so that no room is short of heat. */
const CURVE_SHIFT_K = 5
const SENSOR_ERROR_K = 0.5

/** A virtual house under the law whose rooms share one water, every figure of it up to 30 % off the book. */
export class ReportedHouse {
  readonly house: VirtualHouse
  readonly rooms: HeatedRoom[]
  private readonly water: Water
  private readonly sensorErrorK: number
  private weather
  private forecast: StepInput['forecast'] = null
  private takenKwhM2: number[]
  private readonly heatOfDays: number[][] = []

  constructor(seed: number, water: Water) {
    this.water = water
    this.house = new VirtualHouse({ ...demoHouse({ seed, startMs: START_MS }), spread: SPREAD, apart: SPREAD })
    this.rooms = this.house.plan.rooms.map((room) => new HeatedRoom(room, (settings) => settings))
    this.sensorErrorK = SENSOR_ERROR_K * (2 * seededRandom(seed * 17).uniform() - 1)
    this.weather = this.house.weather()
    this.takenKwhM2 = this.rooms.map(() => 0)
  }

  advance(days: number) {
    const { house, rooms } = this
    const endMs = house.nowMs + days * DAY_MS
    while (house.nowMs < endMs) {
      this.step()
      if ((house.nowMs - START_MS) % (FITTED_EVERY_DAYS * DAY_MS) === FIT_HOUR * HOUR_MS)
        for (const room of rooms) room.fit()
      if (house.nowMs % DAY_MS === 0) this.keepHeat()
    }
    for (const room of rooms) room.fit()
  }

  /** Of the valves on the manifold, as the installer left them or a person has turned them: multiples of the usual water. */
  setFlows(flows: number[]) {
    this.rooms.forEach(({ room }, i) => {
      this.house.setFlow(room.channel, flows[i] as number)
    })
  }

  /** What the rooms truly need at rest. */
  atRest(outdoorC: number): Rest[] {
    return atRest(
      this.house.truth().map(({ physics }, i) => ({
        physics,
        airC: (this.rooms[i] as HeatedRoom).settings.targetC,
        beside: (this.rooms[i] as HeatedRoom).room.neighbours.map((channel) => channel - 1),
      })),
      outdoorC,
    )
  }

  /** What the service knows of the rooms, from the last two weeks. */
  known(): DesignedRoom[] {
    return this.rooms.map(({ room, state, slots, areaM2, settings }) => ({
      id: room.name,
      room: state as RoomControl,
      history: slots.filter(({ endMs }: Slot) => endMs > this.house.nowMs - JUDGED_DAYS * DAY_MS),
      areaM2,
      airC: settings.targetC,
    }))
  }

  /** What a heat meter has counted in the same days. */
  meterKwh(): number {
    const isOnWater = this.rooms.map(({ room }) => room.floorType !== 'electric')
    return this.heatOfDays
      .slice(-JUDGED_DAYS)
      .flatMap((rooms) => rooms.filter((_, i) => isOnWater[i]))
      .reduce((sum, heat) => sum + heat, 0)
  }

  private step() {
    const { house, rooms } = this
    const { nowMs } = house
    if (nowMs % WEATHER_EVERY_MS === 0) {
      this.weather = house.weather()
      this.forecast = { startMs: nowMs, hourly: house.forecast(54) }
    }
    const waterC = supplyC(house.weather().outdoorC, CURVE_SHIFT_K)
    house.setWater(waterC)
    const supply = this.water === 'measured' ? { measuredC: waterC + this.sensorErrorK, setC: null } : null
    if (nowMs % ASKED_EVERY_MS === 0) for (const room of rooms) room.decide(nowMs, this.weather, this.forecast, supply)
    const open = new Map(rooms.map((each) => [each.room.channel, each.move(nowMs)]))
    for (const { sensorId, temperature, atMs } of house.advance(MINUTE_MS / 1000, open).readings) {
      const heard = rooms.find(({ room }) => room.sensorId === sensorId)
      if (heard) heard.reading = { airC: temperature, atMs }
    }
  }

  private keepHeat() {
    const truth = this.house.truth().map(({ heatKwhM2 }) => heatKwhM2)
    this.heatOfDays.push(
      truth.map((heat, i) => (this.rooms[i] as HeatedRoom).areaM2 * (heat - (this.takenKwhM2[i] as number))),
    )
    this.takenKwhM2 = truth
  }
}

/** Days until a house is known: the law learns from as many. */
export const KNOWN_AFTER_DAYS = FITTED_DAYS + 7
