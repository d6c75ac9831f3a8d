import {
  aimAt,
  airFrom,
  type Decision,
  fitRoom,
  type RoomControl,
  type RoomSettings,
  type Slot,
  type StepInput,
  stepRoom,
  strategyOf,
  windowOf,
} from '@hypocaust/control'
import { type Comfort, DAY_MS, type HouseRoom, MAX_FLOOR_C, programmeOfNight, WINDOW_S } from '@hypocaust/domain'
import { promisedBy } from '@hypocaust/service'
import type { HouseReading, Hysteresis, VirtualHouse } from '@hypocaust/simulator'
import { houseFile } from './house.ts'

export const HISTORY_DAYS = 14

const LAW_DAYS = 7
/** A whole week to compare, and the first hours to settle. */
export const WATCHED_DAYS = 8
const ROUGH_BASE = 0.25
const ROUGH_GAIN = 0.5
const STEP_S = 60
const MINUTES_A_DAY = 1440
const CONTROLLED_EVERY_MIN = 5
const FORECAST_HOURS = 49
const FITTED_EVERY_DAYS = 3
const DEFAULT_BAND_K = 0.5

interface LivedPromise {
  dueAt: number
  setpointC: number
  expectedC: number
  measuredC: number | null
}

export interface LivedRoom {
  channel: number
  promises: LivedPromise[]
  state: RoomControl | null
  decisions: Decision[]
  slots: Slot[]
}

export interface LivedDays {
  readings: HouseReading[]
  rooms: LivedRoom[]
}

interface Living extends LivedRoom {
  described: HouseRoom
  power: number
  /** Another thermostat that heats it. */
  thermostat: Hysteresis | null
}

interface OtherThermostat {
  channel: number
  itself: Hysteresis
}

/** Lets the house live up to a moment under the real law, and tells what a service would have recorded meanwhile. */
export function liveUntil(
  house: VirtualHouse,
  untilMs: number,
  onDay: (day: number) => void,
  other: OtherThermostat | null = null,
  lawDays = LAW_DAYS,
): LivedDays {
  const { timezone, location, comfort = 'balanced', rooms: described } = houseFile()
  const startMs = house.nowMs
  const readings: HouseReading[] = []
  const latest = new Map<string, HouseReading>()
  const rooms = described.map((room) => movedIn(room, other))
  let forecast = { startMs, hourly: house.forecast(FORECAST_HOURS) }
  for (let minute = 0; house.nowMs < untilMs; minute++) {
    const nowMs = house.nowMs
    if (minute % 60 === 0) forecast = { startMs: nowMs, hourly: house.forecast(FORECAST_HOURS) }
    if (minute % CONTROLLED_EVERY_MIN === 0) {
      const around = { nowMs, timezone, comfort, location, weather: house.weather(), forecast }
      for (const room of rooms) {
        const reading = latest.get(room.described.sensor)
        const isEarly = untilMs - nowMs > (room.thermostat ? WATCHED_DAYS : lawDays) * DAY_MS
        if (isEarly) regulate(room, reading, around)
        else control(room, reading, around)
      }
    }
    for (const reading of house.advance(STEP_S, new Map(rooms.map((room) => [room.channel, openAt(room, nowMs)])))
      .readings) {
      latest.set(reading.sensorId, reading)
      readings.push(reading)
    }
    if ((minute + 1) % MINUTES_A_DAY === 0) {
      const day = (minute + 1) / MINUTES_A_DAY
      onDay(day)
      if (day % FITTED_EVERY_DAYS === 0)
        for (const room of rooms) room.state = room.state && fitRoom(room.state, room.slots)
    }
  }
  return { readings, rooms }
}

/** The earlier days only fill the charts: plain feedback does, says so, and saves half the wait. */
function regulate(room: Living, reading: HouseReading | undefined, around: Surroundings): void {
  const { nowMs, timezone, weather } = around
  const settings = settingsOf(room.described, around)
  const aim = aimAt(settings, nowMs)
  const missingK = aim.targetC - (reading?.temperature ?? aim.targetC)
  room.power = Math.min(1, Math.max(0, ROUGH_BASE + ROUGH_GAIN * missingK))
  room.decisions.push({
    atMs: nowMs,
    timeZone: timezone,
    mode: 'heat',
    power: room.power,
    share: room.power,
    rung: 'pi',
    notices: [],
    caps: [],
    air: reading ? { airC: reading.temperature, ageS: (nowMs - reading.atMs) / 1000 } : null,
    estimate: null,
    outdoorC: weather?.outdoorC ?? null,
    aim,
    without: null,
    warmsForMs: null,
    maxFloorC: settings.maxFloorC,
    confidence: 0,
  })
}

const movedIn = (described: HouseRoom, other: OtherThermostat | null): Living => ({
  channel: described.valves[0]?.channel ?? 0,
  thermostat: described.valves[0]?.channel === other?.channel ? (other?.itself ?? null) : null,
  described,
  state: null,
  decisions: [],
  slots: [],
  promises: [],
  power: 0,
})

interface Surroundings extends Pick<StepInput, 'nowMs' | 'location' | 'weather' | 'forecast'> {
  timezone: string
  comfort: Comfort
}

function control(room: Living, reading: HouseReading | undefined, around: Surroundings): void {
  const { described } = room
  const { nowMs, location, weather, forecast } = around
  const given = reading && room.thermostat?.measure(reading.temperature, nowMs) ? 1 : 0
  const due = room.promises.at(-1)
  if (reading && due && due.measuredC === null && due.dueAt <= nowMs) due.measuredC = reading.temperature
  const input: StepInput = {
    nowMs,
    location,
    weather,
    forecast,
    floorType: described.floor_type,
    settings: settingsOf(described, around),
    air: airFrom(reading ? { airC: reading.temperature, atMs: reading.atMs } : null, nowMs),
    floorProbeC: null,
    appliedPower: room.thermostat ? room.power : null,
    unreached: room.thermostat ? { kind: 'watched', power: given } : null,
  }
  const step = stepRoom(room.state, input)
  const promised = promisedBy({ room: { id: String(room.channel) }, input, step })
  if (promised) {
    const { atMs: dueAt, setpointC, expectedC } = promised
    room.promises.push({ dueAt, setpointC, expectedC, measuredC: null })
  }
  room.state = step.state
  if (room.power !== step.power || step.slot) room.decisions.push(step.decision)
  if (step.slot) room.slots.push(step.slot)
  room.power = step.power
}

/** Open at the beginning of its window, for the share that was decided. Before the law knows a room, its floor says how long that is. */
function openAt({ described, state, power }: Living, nowMs: number): 0 | 1 {
  const windowMs = (state ? windowOf(state) : WINDOW_S[described.floor_type]) * 1000
  return nowMs % windowMs < power * windowMs ? 1 : 0
}

const settingsOf = (room: HouseRoom, { timezone, comfort }: Surroundings): RoomSettings => ({
  targetC: room.target_temperature ?? 20,
  bandK: room.comfort_band ?? DEFAULT_BAND_K,
  strategy: strategyOf(comfort),
  programme: room.programme ?? (room.night_mode ? programmeOfNight(room.night_mode) : null),
  override: null,
  away: null,
  presetMode: room.preset_mode ?? 'none',
  steering: { kind: 'automatic' },
  maxFloorC: room.max_floor_temperature ?? MAX_FLOOR_C,
  frostProtection: true,
  timeZone: timezone,
})
