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
  length?: Length | undefined
}

/** How many days count, how often the law is asked, and after how many nights a room is learned anew. */
export type Length = { countedDays: number; askedEveryMs: number; fittedEveryDays: number }
const MONTH: Length = { countedDays: 28, askedEveryMs: MINUTE_MS, fittedEveryDays: 1 }
/** For many houses: a week, in a fourth of the time. */
export const WEEK: Length = { countedDays: 7, askedEveryMs: 5 * MINUTE_MS, fittedEveryDays: 7 }

/** A fortnight to learn, then the days that count. */
const LEARNING_DAYS = FITTED_DAYS
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
  private power = 0
  private openMs = 0

  constructor(room: VirtualRoom, change: (settings: RoomSettings) => RoomSettings) {
    const own = SETTINGS[room.name]
    if (!own) throw new Error(`${room.name} has no settings`)
    this.room = room
    this.areaM2 = own.areaM2
    this.settings = change(settingsOf(own))
  }

  decide(nowMs: number, weather: Weather, forecast: StepInput['forecast']) {
    const { floorType } = this.room
    const { state, power, slot } = stepRoom(this.state, {
      nowMs,
      floorType,
      windowS: WINDOW_S[floorType],
      location: OSLO,
      settings: this.settings,
      air: airFrom(this.reading, nowMs),
      floorProbeC: null,
      weather,
      forecast,
      appliedPower: null,
    })
    this.state = state
    this.power = power
    if (slot) this.slots.push(slot)
  }

  /** Whether the loop is open in the coming minute. */
  move(nowMs: number): number {
    const windowMs = WINDOW_S[this.room.floorType] * 1000
    if (nowMs % windowMs === 0) this.openMs = 0
    const open = this.openMs < this.power * windowMs - MINUTE_MS / 2 ? 1 : 0
    this.openMs += open * MINUTE_MS
    return open
  }

  fit() {
    if (this.state) this.state = fitRoom(this.state, this.slots.slice(-FITTED_DAYS * 48))
  }
}

/** A winter month in the virtual house under the real law. */
export function simulateMonth({ seed, change = (settings) => settings, length = MONTH }: MonthPlan): Month {
  const { countedDays, askedEveryMs, fittedEveryDays } = length
  const house = new VirtualHouse({ ...demoHouse({ seed, startMs: START_MS }), spread: SPREAD, apart: SPREAD })
  const rooms = house.plan.rooms.map((room) => new HeatedRoom(room, change))
  const endMs = START_MS + (LEARNING_DAYS + countedDays) * DAY_MS
  let weather = house.weather()
  let forecast: StepInput['forecast'] = null
  let takenKwhM2 = rooms.map(() => 0)
  while (house.nowMs < endMs) {
    const { nowMs } = house
    if (nowMs % WEATHER_EVERY_MS === 0) {
      weather = house.weather()
      forecast = { startMs: nowMs, hourly: house.forecast(54) }
    }
    if (nowMs % askedEveryMs === 0) for (const each of rooms) each.decide(nowMs, weather, forecast)
    const open = new Map(rooms.map((each) => [each.room.channel, each.move(nowMs)]))
    const { readings } = house.advance(MINUTE_MS / 1000, open)
    for (const { sensorId, temperature, atMs } of readings) {
      const heard = rooms.find(({ room }) => room.sensorId === sensorId)
      if (heard) heard.reading = { airC: temperature, atMs }
    }
    if ((house.nowMs - START_MS) % (fittedEveryDays * DAY_MS) === FIT_HOUR * HOUR_MS)
      for (const each of rooms) each.fit()
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
