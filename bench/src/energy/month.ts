import {
  airFrom,
  FITTED_DAYS,
  fitRoom,
  type RoomControl,
  type RoomSettings,
  type Slot,
  type StepInput,
  stepRoom,
} from '@hypocaust/control'
import { DAY_MS, HOUR_MS, MAX_FLOOR_C, MINUTE_MS, programmeOfNight, WINDOW_S } from '@hypocaust/domain'
import { demoHouse, VirtualHouse, type VirtualRoom, type Weather } from '@hypocaust/simulator'

/** What is known of a room after the month, and what no sensor tells. */
type RoomMonth = {
  name: string
  room: VirtualRoom
  areaM2: number
  settings: RoomSettings
  state: RoomControl
  /** Of the counted days. */
  slots: Slot[]
  /** What the floor really took on each counted day. */
  truthKwhM2: number[]
}

export type Month = { seed: number; rooms: RoomMonth[] }

type MonthPlan = {
  seed: number
  /** Other settings than those of the house; as they are unless given. */
  change?: (settings: RoomSettings) => RoomSettings
}

/** A fortnight to learn, then the month that counts. */
export const LEARNING_DAYS = FITTED_DAYS
const COUNTED_DAYS = 28
/** Houses are further from the book than those of the demo, and in more. */
const SPREAD = 0.3
const START_MS = Date.UTC(2026, 0, 5)
const OSLO = { lat: 59.91, lng: 10.75 }
const WEATHER_EVERY_MS = 15 * MINUTE_MS
const FIT_HOUR = 3

const NIGHT = programmeOfNight({ from: '22:30', to: '06:00', setback: 2 })
const SETTINGS: Record<string, { areaM2: number; targetC: number; night: boolean }> = {
  'Living room': { areaM2: 32, targetC: 21.5, night: true },
  Kitchen: { areaM2: 16, targetC: 21, night: true },
  Bedroom: { areaM2: 15, targetC: 18.5, night: false },
  Bathroom: { areaM2: 7, targetC: 22.5, night: false },
  'Child’s room': { areaM2: 14, targetC: 20.5, night: true },
  Cellar: { areaM2: 18, targetC: 17, night: false },
}

const settingsOf = ({ targetC, night }: { targetC: number; night: boolean }): RoomSettings => ({
  targetC,
  bandK: 0.5,
  strategy: 'hold',
  programme: night ? NIGHT : null,
  override: null,
  away: null,
  presetMode: 'none',
  steering: { kind: 'automatic' },
  maxFloorC: MAX_FLOOR_C,
  frostProtection: true,
  timeZone: 'Europe/Oslo',
})

/** One room under the law, as the service runs it. */
class HeatedRoom {
  readonly room: VirtualRoom
  readonly settings: RoomSettings
  readonly areaM2: number
  readonly slots: Slot[] = []
  readonly truthKwhM2: number[] = []
  state: RoomControl | null = null
  reading: { airC: number; atMs: number } | null = null
  private openMs = 0

  constructor(room: VirtualRoom, change: (settings: RoomSettings) => RoomSettings) {
    const own = SETTINGS[room.name]
    if (!own) throw new Error(`${room.name} has no settings`)
    this.room = room
    this.areaM2 = own.areaM2
    this.settings = change(settingsOf(own))
  }

  step(nowMs: number, weather: Weather, forecast: StepInput['forecast']): number {
    const { floorType } = this.room
    const windowS = WINDOW_S[floorType]
    const { state, power, slot } = stepRoom(this.state, {
      nowMs,
      floorType,
      windowS,
      location: OSLO,
      settings: this.settings,
      air: airFrom(this.reading, nowMs),
      floorProbeC: null,
      weather,
      forecast,
      appliedPower: null,
    })
    this.state = state
    if (slot) this.slots.push(slot)
    if (nowMs % (windowS * 1000) === 0) this.openMs = 0
    const open = this.openMs < power * windowS * 1000 - MINUTE_MS / 2 ? 1 : 0
    this.openMs += open * MINUTE_MS
    return open
  }

  fit() {
    if (this.state) this.state = fitRoom(this.state, this.slots.slice(-FITTED_DAYS * 48))
  }
}

/** A winter month in the virtual house under the real law. */
export function simulateMonth({ seed, change = (settings) => settings }: MonthPlan): Month {
  const house = new VirtualHouse({ ...demoHouse({ seed, startMs: START_MS }), spread: SPREAD, apart: SPREAD })
  const rooms = house.plan.rooms.map((room) => new HeatedRoom(room, change))
  const endMs = START_MS + (LEARNING_DAYS + COUNTED_DAYS) * DAY_MS
  let weather = house.weather()
  let forecast: StepInput['forecast'] = null
  let takenKwhM2 = rooms.map(() => 0)
  while (house.nowMs < endMs) {
    const { nowMs } = house
    if (nowMs % WEATHER_EVERY_MS === 0) {
      weather = house.weather()
      forecast = { startMs: nowMs, hourly: house.forecast(54) }
    }
    const open = new Map(rooms.map((each) => [each.room.channel, each.step(nowMs, weather, forecast)]))
    const { readings } = house.advance(MINUTE_MS / 1000, open)
    for (const { sensorId, temperature, atMs } of readings) {
      const heard = rooms.find(({ room }) => room.sensorId === sensorId)
      if (heard) heard.reading = { airC: temperature, atMs }
    }
    if (house.nowMs % DAY_MS === FIT_HOUR * HOUR_MS) for (const each of rooms) each.fit()
    if (house.nowMs % DAY_MS === 0) {
      const truth = house.truth().map(({ heatKwhM2 }) => heatKwhM2)
      rooms.forEach((each, i) => {
        each.truthKwhM2.push((truth[i] as number) - (takenKwhM2[i] as number))
      })
      takenKwhM2 = truth
    }
  }
  const fromMs = START_MS + LEARNING_DAYS * DAY_MS
  return {
    seed,
    rooms: rooms.map(({ room, areaM2, settings, state, slots, truthKwhM2 }) => ({
      name: room.name,
      room,
      areaM2,
      settings,
      state: state as RoomControl,
      slots: slots.filter(({ endMs }) => endMs > fromMs),
      truthKwhM2: truthKwhM2.slice(LEARNING_DAYS),
    })),
  }
}
