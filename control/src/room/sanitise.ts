import {
  type Absence,
  BLINDS_ABOVE_C,
  type CalendarWish,
  COOLING_TARGET_C,
  type FloorTime,
  MAX_FLOOR_C,
  MOULD_WARMING_K,
  minuteOf,
  type Override,
  type Programme,
  steeringOf,
  type TargetHold,
  type Vacancy,
  WEEKDAYS,
} from '@hypocaust/domain'
import { type HeatSource, PRIOR_QUALITY, PRIOR_SHARE } from '../model/efficiency.ts'
import type { Energy, Prices } from '../model/heat-cost.ts'
import type { SourceEvidence } from './source-state.ts'
import type {
  AirTemp,
  BusySpan,
  Cooling,
  Forecast,
  GridLimit,
  Hours,
  MouldWarming,
  RoomSettings,
  StepInput,
  Strategy,
  Supply,
  Unreached,
  Weather,
} from './types.ts'

const STRATEGIES: Strategy[] = ['comfort-first', 'hold', 'saving']
const MOST_PRICE = 1e6

/** Whatever arrives, the law below sees finite numbers in plausible ranges. */
export function sanitised(input: StepInput): StepInput {
  return {
    ...input,
    nowMs: within(input.nowMs, 0, 8.6e15, 0),
    location: input.location ? plausibleLocation(input.location) : null,
    settings: plausibleSettings(input.settings),
    air: plausibleAir(input.air),
    coldestC: input.coldestC == null ? null : optional(input.coldestC, -40, 85),
    floorProbeC: input.floorProbeC === null ? null : optional(input.floorProbeC, -40, 85),
    weather: input.weather ? plausibleWeather(input.weather) : null,
    forecast: input.forecast ? plausibleForecast(input.forecast) : null,
    otherRooms: Array.isArray(input.otherRooms) ? input.otherRooms.filter(isEvidence) : [],
    appliedPower: input.appliedPower === null ? null : within(input.appliedPower, 0, 1, 0),
    unreached: input.unreached ? plausibleUnreached(input.unreached) : null,
    window: input.window === 'open' || input.window === 'closed' ? input.window : null,
    energy: input.energy ? plausibleEnergy(input.energy) : null,
    supply: input.supply ? plausibleSupply(input.supply) : null,
    limits: Array.isArray(input.limits) ? input.limits.flatMap(plausibleSpan) : [],
    ...(Array.isArray(input.busy) && { busy: input.busy.flatMap(plausibleSpan) }),
    ...(input.cooling && { cooling: plausibleCooling(input.cooling) }),
  }
}

const plausibleUnreached = (unreached: Unreached): Unreached =>
  unreached.kind === 'gateway-lost' ? { ...unreached, power: within(unreached.power, 0, 1, 0) } : unreached

/** One that is not known whole counts for nothing. */
const plausibleSpan = ({ fromMs, untilMs, share }: GridLimit | BusySpan): (GridLimit & BusySpan)[] =>
  Number.isFinite(fromMs + untilMs + share) && untilMs > fromMs
    ? [{ fromMs, untilMs, share: within(share, 0, 1, 1) }]
    : []

const plausibleSupply = ({ measuredC, setC }: Supply): Supply => ({
  measuredC: measuredC === null ? null : optional(measuredC, 5, 90),
  setC: setC === null ? null : optional(setC, 5, 90),
})

/** An hour that is not known makes the whole unknown. */
const plausibleCooling = ({ targetC, dewC, waterC }: Cooling): Cooling => ({
  targetC: targetC === null ? null : optional(targetC, COOLING_TARGET_C.minimum, COOLING_TARGET_C.maximum),
  dewC: dewC && plausibleHours(dewC, -45, 60),
  waterC: waterC && plausibleHours(waterC, 5, 60),
})

function plausibleHours({ startMs, hourly }: Hours, leastC: number, mostC: number): Hours | null {
  const isSound = Number.isFinite(startMs) && hourly.length > 0 && hourly.every((c) => c >= leastC && c <= mostC)
  return isSound ? { startMs, hourly } : null
}

const plausibleEnergy = ({ prices, source, grid, sunny }: Energy): Energy => ({
  prices: prices && plausiblePrices(prices),
  source: source && plausibleSource(source),
  grid: grid === 'locked' || grid === 'cheap' ? grid : null,
  ...(sunny && { sunny: sunny.filter(({ fromMs, toMs }) => toMs > fromMs) }),
})

function plausiblePrices({ startMs, stepS, perKwh }: Prices): Prices | null {
  const isSound = Number.isFinite(startMs) && stepS >= 300 && stepS <= 86_400 && perKwh.length > 0
  return isSound && perKwh.every((price) => Math.abs(price) < MOST_PRICE) ? { startMs, stepS, perKwh } : null
}

const plausibleSource = (source: HeatSource): HeatSource =>
  source.kind === 'heat-pump'
    ? { kind: source.kind, quality: within(source.quality, 0.1, 1, PRIOR_QUALITY) }
    : { kind: source.kind, share: within(source.share, 0.3, 1.2, PRIOR_SHARE[source.kind]) }

const isEvidence = ({ asked, weight }: SourceEvidence) => typeof asked === 'boolean' && Number.isFinite(weight)

export function within(value: number, low: number, high: number, otherwise: number): number {
  // Adding zero turns −0, which JSON does not know, into 0.
  return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) + 0 : otherwise
}

const optional = (value: number, low: number, high: number) =>
  Number.isFinite(value) && value >= low && value <= high ? value + 0 : null

function plausibleSettings(settings: RoomSettings): RoomSettings {
  const { away, blinds, calendar, floorTimes, hold, mould, override, programme, steering, vacancy } = settings
  return {
    ...settings,
    targetC: within(settings.targetC, 5, 35, 20),
    bandK: within(settings.bandK, 0.1, 5, 0.5),
    strategy: STRATEGIES.find((known) => known === settings.strategy) ?? 'hold',
    programme: programme ? plausibleProgramme(programme) : null,
    away: away && isSpan(away) ? { ...away, targetC: within(away.targetC, 5, 35, 15) } : null,
    hold: hold && isPlausibleHold(hold) ? hold : null,
    override: override && Number.isFinite(override.untilMs + override.setAtMs) ? plausibleOverride(override) : null,
    steering:
      steering.kind === 'manual' ? steeringOf({ enabled: true, power: within(steering.power, 0, 1, 0) }) : steering,
    maxFloorC: within(settings.maxFloorC, 15, 45, MAX_FLOOR_C),
    ...(mould && { mould: plausibleMould(mould) }),
    ...(calendar && { calendar: calendar.filter(isPlausibleWish) }),
    ...(vacancy && { vacancy: isPlausibleVacancy(vacancy) ? vacancy : null }),
    ...(blinds && {
      blinds: {
        ...blinds,
        aboveC: within(blinds.aboveC, BLINDS_ABOVE_C.minimum, BLINDS_ABOVE_C.maximum, BLINDS_ABOVE_C.maximum),
      },
    }),
    ...(floorTimes && { floorTimes: floorTimes.filter(isFloorTime) }),
  }
}

const plausibleMould = ({ dryAtC, mostK }: MouldWarming): MouldWarming => ({
  dryAtC: within(dryAtC, 0, 35, 0),
  mostK: within(mostK, MOULD_WARMING_K.minimum, MOULD_WARMING_K.maximum, 0),
})

const isFloorTime = ({ temperature, from, to }: FloorTime) =>
  Number.isFinite(temperature + minuteOf(from) + minuteOf(to))

const isSpan = ({ fromMs, untilMs }: Absence) => Number.isFinite(fromMs) && !Number.isNaN(untilMs)

const isPlausibleVacancy = ({ fromMs, untilMs, targetC, mostK }: Vacancy) =>
  Number.isFinite(fromMs + targetC + mostK) && !Number.isNaN(untilMs) && mostK >= 0

const isPlausibleWish = (wish: CalendarWish): boolean =>
  Number.isFinite(wish.fromMs + wish.untilMs) && (wish.kind !== 'away' || (wish.targetC >= 5 && wish.targetC <= 35))

const isPlausibleHold = (hold: TargetHold) =>
  Number.isFinite(hold.setAtMs) && (hold.kind === 'away' || !Number.isNaN(hold.untilMs))

function plausibleOverride(override: Override): Override {
  switch (override.kind) {
    case 'target':
      return { ...override, targetC: within(override.targetC, 5, 35, 20) }
    case 'manual':
      return { ...override, power: within(override.power, 0, 1, 0) }
    case 'off':
      return override
  }
}

const plausibleProgrammes = new WeakMap<Programme, Programme>()

/** A room has the same programme at thousands of ticks: it is judged once. */
function plausibleProgramme(programme: Programme): Programme {
  const known = plausibleProgrammes.get(programme)
  if (known) return known
  const judged = judgedProgramme(programme)
  plausibleProgrammes.set(programme, judged)
  return judged
}

function judgedProgramme(programme: Programme): Programme {
  const days = WEEKDAYS.map((day) => [
    day,
    (programme[day] ?? [])
      .filter(({ at }) => Number.isFinite(minuteOf(at)))
      .map(({ at, setback }) => ({ at, setback: within(setback, 0, 10, 0) })),
  ])
  return { ...Object.fromEntries(days), dates: programme.dates ?? [] }
}

/** A sensor in the sun or in the freezer says no more than that it is warm or cold. */
function plausibleAir(air: AirTemp): AirTemp {
  if (air.kind === 'missing' || optional(air.airC, -40, 85) === null) return { kind: 'missing' }
  return { kind: air.kind, airC: within(air.airC, -25, 50, 20), ageS: within(air.ageS, 0, 1e10, 1e10) }
}

export function plausibleWeather(weather: Weather): Weather | null {
  const outdoorC = optional(weather.outdoorC, -90, 60)
  if (outdoorC === null) return null
  return {
    outdoorC,
    cloudPct: within(weather.cloudPct, 0, 100, 75),
    windMs: within(weather.windMs, 0, 60, 3.5),
    solarWm2: weather.solarWm2 === null ? null : within(weather.solarWm2, 0, 1400, 0),
  }
}

/** Its hours are judged when they are looked at: most never are. */
function plausibleForecast(forecast: Forecast): Forecast | null {
  return forecast.hourly.length > 0 && Number.isFinite(forecast.startMs) ? forecast : null
}

function plausibleLocation(location: { lat: number; lng: number }) {
  return { lat: within(location.lat, -90, 90, 50), lng: within(location.lng, -180, 180, 0) }
}
