import type { FloorType } from '@hypocaust/domain'
import type { Direct } from '../model/direct.ts'
import type { IdleHours } from '../model/idle-hours.ts'
import { type Learned, nothingLearned } from '../model/model.ts'
import type { Belief } from '../model/observer.ts'
import { noProfile, type Profile } from '../model/profile.ts'
import type { Location } from '../model/sun.ts'
import { type ForecastCheck, unchecked } from './forecast.ts'
import type { Habit } from './habit.ts'
import { locationOf } from './outside.ts'
import { noShortfall, type Shortfall, type SourceWatch, unwatched } from './source-state.ts'
import type { Decision, FloorReason, PriceReason, Shading, StepInput, Weather } from './types.ts'

/** All the law remembers of a room: plain JSON, a few kilobytes, kept by the caller. */
export type RoomControl = {
  version: 1
  floorType: FloorType
  updatedMs: number
  /** Where the sun was last reckoned from. */
  location: Location
  timeZone: string
  learned: Learned
  /** What people and appliances give by hour of the day; see `Profile`. */
  profile: Profile
  /** Hours without heat, whatever is asked for, as learned; null where there are none. */
  idle: IdleHours | null
  /** A second opinion on what the sensor will show; null before there are days to learn it from. */
  direct: Direct | null
  fit: FitRecord
  /** When the model was found to be impossible: the room is held by plain feedback until new days have taught it. */
  brokenMs: number | null
  /** Since when an estimated floor limit has kept the loop shut although the room is cold. */
  heldBackMs: number | null
  belief: Belief | null
  lastReadingMs: number | null
  habit: Habit
  lastAimC: number
  weather: Weather | null
  /** The last output. */
  power: number
  frost: boolean
  /** Of the plain feedback that stands in when the model is rejected. */
  integral: number
  block: Block | null
  /** Open time owed from pulses too short for the valve; below zero: given in advance. */
  owedS: number
  airing: Airing
  source: SourceWatch
  shortfall: Shortfall
  /** Times of which the commands say nothing about the heat: the fit leaves them out. */
  distrusted: Span[]
  forecast: ForecastCheck
  outlook: Outlook
  rise: Rise
  slot: SlotSums
}

export type Span = { fromMs: number; toMs: number }

/** What the last plan expected some hours later, and how wrong such expectations have been. */
export type Outlook = { dueMs: number; feltC: number; errorK: number }

/** What was expected of the next rise hours before; `dueMs` is 0 where none is waited for. */
export type Rise = {
  dueMs: number
  setpointC: number
  expectedC: number
  /** How much warmer than expected the room was at its latest rises. */
  warmerK: number
}

type FitRecord = {
  atMs: number | null
  /** Nights on which the data improved the model, and on which they were looked at. */
  accepted: number
  tried: number
  /** Error of predictions of hours ahead, on hours the fit had not seen. */
  errorK: number | null
  days: number
  rejected: boolean
}

/** A stretch with one decided open time, at its beginning. */
export type Block = {
  startMs: number
  endMs: number
  openS: number
  key: number
  rung: Decision['rung']
  without: Decision['without']
  caps: Decision['caps']
  price?: PriceReason
  floor?: FloorReason
  /** Absent where no plan was made. */
  expected?: Expected
  /** Null where the blinds may stay open; absent until it has been looked at. */
  shading?: Shading | null
}

/** What the plan of a block expects: website and API show it. */
export type Expected = {
  /** Until then the setpoint is the one it was made for. */
  untilMs: number
  /** How far the plan looks. */
  endMs: number
  /** When the air comes to the setpoint, and what heat that takes; null where it does not. */
  reached: { atMs: number; heatKwhM2: number } | null
  /** Where the next setpoint is higher. */
  warmUp: WarmUp | null
}

/** A higher setpoint ahead, and from when the floor is heated for it. */
export type WarmUp = {
  atMs: number
  setpointC: number
  /** The air at that moment, as the plan expects it: what may be promised. */
  expectedC: number
  /** When the plan reaches the setpoint; null where it does not within its horizon. */
  reachedMs: number | null
  /** Null while no extra heat is planned for it. */
  heatsFromMs: number | null
  isInTime: boolean
  heatKwhM2: number
}

/** A quick and a slow mean of the readings: far apart when a window opens. `calm` is the belief before it did. */
export type Airing = {
  quickC: number | null
  slowC: number | null
  openSinceMs: number | null
  calm: number[] | null
  swing?: Swing
  /** A contact has reported the window shut at that time; the air still has to come back from the walls. */
  shutAtMs?: number
}

/** The ups and downs of the quick mean: how far the present one has led, and where the last fall ended. */
export type Swing = { isFalling: boolean; extremeC: number; troughC: number }

export type SlotSums = {
  endMs: number
  seconds: number
  power: number
  outdoorC: number
  windMs: number
  solarWm2: number
  airC: number
  readings: number
  /** Of the water while the loop was open, where its temperature is known. */
  water?: { openS: number; sum: number }
  aired?: true
  spoiled: boolean
}

export const SLOT_S = 1800
const FIRST_ERROR_K = 0.15

/** What a room begins with. */
type Beginning = Pick<StepInput, 'floorType' | 'nowMs' | 'location'> & {
  settings: Pick<StepInput['settings'], 'targetC' | 'timeZone'>
}

export function freshState(input: Beginning): RoomControl {
  return {
    version: 1,
    floorType: input.floorType,
    updatedMs: input.nowMs,
    location: locationOf(input),
    timeZone: input.settings.timeZone,
    learned: nothingLearned(),
    profile: noProfile(),
    idle: null,
    direct: null,
    fit: { atMs: null, accepted: 0, tried: 0, errorK: null, days: 0, rejected: false },
    brokenMs: null,
    heldBackMs: null,
    belief: null,
    lastReadingMs: null,
    habit: [0, 0],
    lastAimC: input.settings.targetC,
    weather: null,
    power: 0,
    frost: false,
    integral: 0,
    block: null,
    owedS: 0,
    airing: { quickC: null, slowC: null, openSinceMs: null, calm: null },
    source: unwatched(),
    shortfall: noShortfall(),
    distrusted: [],
    forecast: unchecked(input.nowMs),
    outlook: { dueMs: 0, feltC: 0, errorK: FIRST_ERROR_K },
    rise: { dueMs: 0, setpointC: 0, expectedC: 0, warmerK: 0 },
    slot: emptySlot(input.nowMs),
  }
}

export function emptySlot(nowMs: number): SlotSums {
  const endMs = (Math.floor(nowMs / (SLOT_S * 1000)) + 1) * SLOT_S * 1000
  return { endMs, seconds: 0, power: 0, outdoorC: 0, windMs: 0, solarWm2: 0, airC: 0, readings: 0, spoiled: false }
}

/** Whether the model is not to be trusted: then the reading alone steers. */
export const isHeldByFeedback = ({ fit, brokenMs }: RoomControl): boolean => fit.rejected || brokenMs !== null

/** How much of the room has been learned: days of data, as far as they predict well. */
export function confidenceOf({ fit }: RoomControl): number {
  if (fit.errorK === null || fit.accepted === 0) return 0
  return (fit.days / (fit.days + 2)) * Math.min(1, Math.max(0, 1.2 - fit.errorK))
}
