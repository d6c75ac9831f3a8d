import type { FloorType, PRESET_MODES, ScheduleInputs, SetpointReason } from '@hypocaust/domain'
import type { Side } from '@hypocaust/domain/facts'
import type { Energy } from '../model/heat-cost.ts'
import type { IdleHours } from '../model/idle-hours.ts'
import type { SourceEvidence } from './source-state.ts'

export type Weather = {
  outdoorC: number
  cloudPct: number
  windMs: number
  /** Global horizontal; null where the source does not tell, then it is estimated from sun and cloud. */
  solarWm2: number | null
}

/** `hourly[k]` is k hours after `startMs`. */
export type Forecast = { startMs: number; hourly: Weather[] }

/** `ageS` is the age of the reading at this step; see `airFrom`. */
export type AirTemp =
  | { kind: 'fresh'; airC: number; ageS: number }
  | { kind: 'stale'; airC: number; ageS: number }
  | { kind: 'missing' }

/**
 * `hold`: the room is kept at its setpoint. `saving`: the whole band is free, so it rides near the lower edge.
 * `comfort-first`: as `hold`, and as firmly in the most expensive hour as in any other.
 */
export type Strategy = 'comfort-first' | 'hold' | 'saving'

export type RoomSettings = ScheduleInputs & {
  /** Half width of the comfort band: the room may be this much below or above its target. */
  bandK: number
  strategy: Strategy
  presetMode: (typeof PRESET_MODES)[number]
  maxFloorC: number
  frostProtection: boolean
  /** Against mould the room is kept at least this warm, at most so much above its setpoint; absent where nothing is done. */
  mould?: MouldWarming
  /** The setpoints are those of the floor; absent where they are those of the air. */
  targetOf?: 'floor'
  /** Absent where the room has none. */
  blinds?: Blinds
}

/** On which sides, and how warm the sun may make the room before they are closed. */
export type Blinds = { sides: readonly Side[]; aboveC: number }

export type MouldWarming = { dryAtC: number; mostK: number }

export type StepInput = {
  nowMs: number
  floorType: FloorType
  /** Null where unknown: the sun is then taken to stand in the south at noon of the time zone. */
  location: { lat: number; lng: number } | null
  settings: RoomSettings
  air: AirTemp
  /** The coldest of several sensors, against frost; null or absent where there is one. */
  coldestC?: number | null
  /** A probe in the floor, where there is one. */
  floorProbeC: number | null
  weather: Weather | null
  forecast: Forecast | null
  /** Mean open share since the last step as the gateway reports it; null: as commanded. */
  appliedPower: number | null
  /** What the other rooms of the building show of the heat source, as kept in `RoomControl.source`. */
  otherRooms?: SourceEvidence[]
  /** Why the control does not reach the floor of the room; null or absent where it does. */
  unreached?: Unreached | null
  /** What the contacts of the room report; null or absent where there are none, then an open window is inferred. */
  window?: WindowContact | null
  /** What heat costs when; null or absent where it costs the same at all times. */
  energy?: Energy | null
  /** While the grid limits the heat source, what this room may take of it. */
  limits?: GridLimit[]
  /** When the heat source will make hot water instead; absent where it makes none. */
  busy?: BusySpan[]
  /** What is known of the water that flows to the loops; null or absent where it is only assumed. */
  supply?: Supply | null
  /** While the building cools; null or absent while it heats. */
  cooling?: Cooling | null
}

/** `share` of the span gives the floor no heat. */
export type BusySpan = { fromMs: number; untilMs: number; share: number }

/** A value for each hour from a moment on. */
export type Hours = { startMs: number; hourly: number[] }

/** How a room is cooled. Where anything of it is not known, its loop stays shut. */
export type Cooling = {
  /** Null: the room is left out. */
  targetC: number | null
  /** The dew point of its air, as expected. */
  dewC: Hours | null
  /** The water that will be asked for. */
  waterC: Hours | null
}

/** From a moment to another a room gets at most this share of its full power. */
export type GridLimit = { fromMs: number; untilMs: number; share: number }

/** As measured on the manifold, and as the heat source was asked for. */
export type Supply = { measuredC: number | null; setC: number | null }

/**
 * Nothing can heat the room, its gateway does not hear commands and gives `power` by contract, or another thermostat heats
 * it: with `power` as far as that is reported, or unseen.
 */
export type Unreached =
  | { kind: 'no-valve' }
  | { kind: 'no-gateway' }
  | { kind: 'gateway-lost'; power: number }
  | { kind: 'watched'; power: number }
  | { kind: 'watched-unseen' }

export const isWatched = ({ unreached }: Pick<StepInput, 'unreached'>): boolean =>
  unreached?.kind === 'watched' || unreached?.kind === 'watched-unseen'

export type WindowContact = 'open' | 'closed'

/** What a moment asks for: the room shall stay between the two; above `highC` matters only while somebody is there. */
export type Aim = { targetC: number; lowC: number; highC: number; occupied: boolean; reason: SetpointReason }

/** How well the law can see, from best to worst. */
export type Rung = 'measured' | 'predicted' | 'model-only' | 'learned-power' | 'pi'

export type Notice = 'window-open' | 'boiler-off' | 'model-broken' | 'no-weather' | 'sensor-lost'
export type Cap =
  | 'floor-limit'
  | 'preset'
  | 'minimum-pulse'
  | 'above-band'
  | 'open-window'
  | 'grid-lock'
  | 'grid-limit'
  | ShutToCooling
  | Unreached['kind']

/** Why a loop stays shut while the building cools. */
export type ShutToCooling = 'left-out' | 'dew-unknown' | 'dew-point'

/** Heat now because it is cheap until then, or later because it will be from then on. */
export type PriceReason = { kind: 'cheap' | 'waits'; untilMs: number }

/** `floorErrorK`: how far the floor may be from that, of a room whose floor is held without a probe. */
export type RoomEstimate = { airC: number; floorC: number; floorProbed: boolean; floorErrorK?: number }

/** Where the floor has to be warm: what it is heated to, and when. */
export type FloorReason = { leastC: number; fromMs: number; untilMs: number }

/** Everything that led to a power, as plain JSON: kept, it answers "why is this room heating?" years later. */
export type Decision = {
  atMs: number
  timeZone: string
  mode: 'off' | 'manual' | 'frost' | 'heat' | 'cool'
  power: number
  /** Of the whole block: between two openings the power of a window is 0. Of a watched room, what it would be given. */
  share: number
  rung: Rung
  notices: Notice[]
  caps: Cap[]
  air: { airC: number; ageS: number } | null
  /** What the model holds to be true now; null before it has seen anything. */
  estimate: RoomEstimate | null
  outdoorC: number | null
  aim: Aim
  /** The hour that decided: how far below its band the room would be then without any heat. */
  without: { atMs: number; airC: number; lowC: number; floorNeedsS: number } | null
  /** The later moment it heats for already; null when it heats for now, or not at all. */
  warmsForMs: number | null
  /** Hours of every day in which no heat comes, as learned; minutes of the day. */
  idle?: IdleHours
  /** Since when all the heat there is has left the room below its band, and how far on the mean of a day. */
  short?: { sinceMs: number; belowK: number }
  /** Where a minimum of the floor asks for more heat than the room would get without one. */
  floor?: FloorReason
  /** The setpoint is that of the floor. */
  targetOf?: 'floor'
  /** Where the price of heat changed the plan. */
  price?: PriceReason
  /** While the building cools: by which dew point and water it was decided, and above what heating would keep the room. */
  cooling?: { dewC: number | null; waterC: number | null; heatLowC: number }
  /** Where the sun would make the room too warm, and it has blinds. */
  shading?: Shading
  /** Highest floor temperature allowed. */
  maxFloorC: number
  /** 0 knows only the floor type; 1 has learned this room. */
  confidence: number
}

/** When to close the blinds against the sun, when they may be opened again, and how warm the room becomes without and with. */
export type Shading = { sides: Side[]; closeMs: number; openMs: number; openC: number; closedC: number }

/** Half an hour of a room, as the nightly fit wants it. */
export type Slot = {
  /** End of the slot. */
  endMs: number
  /** Null when no reading came, or when a window stood open. */
  airC: number | null
  power: number
  outdoorC: number
  windMs: number
  solarWm2: number
  /** Of the water while the loop was open, where it is known. */
  supplyC?: number
  /** A window stood open for some of the time. */
  aired?: true
}

/** Oldest first; gaps are allowed. */
export type History = Slot[]
