import type { FloorType } from '@hypocaust/domain'
import { HOUR_S } from '@hypocaust/domain/facts'
import type { Boundary } from '@hypocaust/simulator'
import { type IrregularWeek, irregularWeek, setpointInWeek } from './irregular-week.ts'
import type { Setpoint } from './plant.ts'

export const DAY_S = 86_400
/** A Monday. */
export const WINTER_MS = Date.UTC(2026, 0, 12)

/** From second to second, in plant time. */
type Span = { fromS: number; toS: number }

export type Scenario = {
  name: string
  season: 'winter' | 'frost' | 'shoulder' | 'whole'
  coldSnap?: { day: number }
  targetStep?: Span & { byK: number }
  stove?: Span[]
  windows?: Span[]
  sensorLoss?: { silent: Span; lossShare: number }
  /** What the installer entered instead of the floor that is there. */
  configured?: Record<FloorType, FloorType>
  forecast?: { outdoorK: number; sunShiftS: number }
  noHeat?: Span[]
  /** Of the heat, what goes straight to the air. */
  airShare?: number
  /** Of the water that should flow. */
  flow?: number
  /** The heating curve is so much higher. */
  supplyK?: number
  /** The sensor is screwed to an outside wall: of the outdoor temperature it shows this share. */
  outsideWallShare?: number
  /** The sensor reports only when the temperature has changed by so much. */
  sensorStepK?: number
  /** Sensor and valve of the room are those of different rooms, and the same is true of the next room. */
  isSwapped?: true
  week?: IrregularWeek
  /** What the law takes from the book and never learns is drawn anew for each plant. */
  isDrawnApart?: true
  /** What makes heat of electricity whose price changes by the hour. */
  source?: 'electric' | 'heat-pump'
  /** The grid limits the heat source for two hours of each day. */
  isLimited?: true
}

const at = (day: number, hour: number, hours: number): Span => ({
  fromS: day * DAY_S + hour * HOUR_S,
  toS: day * DAY_S + (hour + hours) * HOUR_S,
})
const daily = (days: number[], hour: number, hours: number) => days.map((day) => at(day, hour, hours))

export const SCENARIOS: Scenario[] = [
  { name: 'winter', season: 'winter' },
  { name: 'shoulder', season: 'shoulder' },
  { name: 'cold-snap', season: 'winter', coldSnap: { day: 9 } },
  { name: 'target-step', season: 'winter', targetStep: { ...at(9, 12, 48), byK: 2 } },
  { name: 'stove', season: 'winter', stove: daily([2, 4, 8, 10, 12], 18, 3) },
  { name: 'window', season: 'winter', windows: daily([1, 3, 5, 7, 8, 9, 10, 11, 12, 13], 7.5, 0.5) },
  { name: 'sensor-loss', season: 'winter', sensorLoss: { silent: at(9, 6, 12), lossShare: 0.3 } },
  {
    name: 'wrong-floor',
    season: 'winter',
    configured: { screed: 'dry', dry: 'slab', timber: 'dry', slab: 'dry', electric: 'slab' },
  },
  { name: 'bad-forecast', season: 'winter', forecast: { outdoorK: 2, sunShiftS: 2 * HOUR_S } },
  { name: 'no-heat', season: 'winter', noHeat: [at(9, 1, 8), at(11, 12, 5)] },
  { name: 'irregular-week', season: 'winter', week: irregularWeek(WINTER_MS, 16) },
]

const BUILT_OTHERWISE: Scenario[] = [
  { name: 'drawn-winter', season: 'winter' },
  { name: 'drawn-shoulder', season: 'shoulder' },
  { name: 'towel-rail', season: 'winter', airShare: 0.5 },
  { name: 'radiator', season: 'winter', airShare: 1 },
  { name: 'boiler-timer', season: 'winter', noHeat: daily([...Array(14).keys()], 22, 7) },
  { name: 'swapped', season: 'winter', isSwapped: true },
  { name: 'coarse-sensor', season: 'winter', sensorStepK: 0.5 },
  { name: 'cold-wall', season: 'winter', outsideWallShare: 0.05 },
  { name: 'dead-sensor', season: 'shoulder', sensorLoss: { silent: at(8, 0, 24 * 6), lossShare: 0.1 } },
  { name: 'low-flow', season: 'frost', flow: 0.3 },
  { name: 'starved-loop', season: 'frost', flow: 0.15 },
  { name: 'cold-supply', season: 'frost', supplyK: -9 },
]

/** What installers leave behind, in houses unlike the book; each only when it is asked for. */
export const MISTAKES = BUILT_OTHERWISE.map((scenario): Scenario => ({ ...scenario, isDrawnApart: true }))

/** Compared by what heat costs. */
export const PRICED_SCENARIOS: Scenario[] = [
  { name: 'dynamic-price', season: 'winter', source: 'electric' },
  { name: 'heat-pump', season: 'winter', source: 'heat-pump' },
]

/** Compared with a lock. */
const LIMITED: Scenario = { name: 'power-limit', season: 'winter', isLimited: true }

/** Programme alone against programme and who is home, over three weeks after one of learning. */
export const PRESENCE: Scenario = { name: 'presence', season: 'winter' }

/** From autumn on, for what is learned over months. */
const WHOLE_SEASON: Scenario = { name: 'season', season: 'whole' }

export const scenarioNamed = (name: string): Scenario | undefined =>
  [...SCENARIOS, ...MISTAKES, ...PRICED_SCENARIOS, LIMITED, PRESENCE, WHOLE_SEASON].find((each) => each.name === name)

export const during = (spans: Span[] | undefined, nowS: number) =>
  spans?.some((span) => nowS >= span.fromS && nowS < span.toS) ?? false

/** 19 °C at night, 21 °C from 06:00 to 22:30, unless the scenario has a week of its own; as known at a moment. */
export function setpointOf(scenario: Scenario, nowS: number, knownS = nowS): Setpoint {
  if (scenario.week) return setpointInWeek(scenario.week, nowS, knownS)
  const hour = (nowS % DAY_S) / HOUR_S
  const occupied = hour >= 6 && hour < 22.5
  const step = scenario.targetStep
  const byK = step && during([step], nowS) ? step.byK : 0
  return { targetC: (occupied ? 21 : 19) + byK, bandK: 0.5, night: !occupied, occupied }
}

/** What a scenario does to the room beyond the weather. */
export function disturb(scenario: Scenario, nowS: number, boundary: Boundary): Boundary {
  return {
    ...boundary,
    internalWm2: boundary.internalWm2 + (during(scenario.stove, nowS) ? 70 : 0),
    airChange: during(scenario.windows, nowS) ? 12 : 1,
    supply: during(scenario.noHeat, nowS) ? 'failed' : 'running',
  }
}
