import { FITTED_DAYS, type RoomControl, type RoomSettings, type Slot, type StepInput } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { demoHouse, VirtualHouse, type VirtualRoom } from '@hypocaust/simulator'
import { HeatedRoom } from './heated-room.ts'

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
const WEATHER_EVERY_MS = 15 * MINUTE_MS
const FIT_HOUR = 3

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
