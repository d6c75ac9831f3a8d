import { HOUR_MS } from './time.ts'

/**
 * Below this a room is heated though it is off, until it is over it again. A probe in its floor that is at its limit, or
 * silent in a mat, may be wrong: the loop then has this share. With it a floor stays a few kelvins above the air.
 */
export const FROST = { belowC: 5, overC: 6, limitedShare: 0.3 }
export const MIN_TARGET_C = 7
/** By how much all rooms of a building are lowered at once. */
export const LOWER_ALL_BY_K = 1
export const MAX_TARGET_C = 35
export const NEW_ROOM_TARGET_C = 20

/** Kelvin either side of the target. */
export const COMFORT_BAND_K = { minimum: 0.1, maximum: 5 }
export const DEFAULT_COMFORT_BAND_K = 0.5

/** In the mean of several sensors of a room; the first has 1. */
export const SENSOR_WEIGHT = { minimum: 0.1, maximum: 10 }

/** What may be set as a room's highest surface temperature. */
export const FLOOR_LIMIT_C = { minimum: 20, maximum: 40 }
/** What may be set as a room's lowest surface temperature. */
export const MINIMUM_FLOOR_C = { minimum: 15, maximum: 35 }
/** For the sake of its floor a room becomes at most this much warmer than its band. */
export const ROOM_ABOVE_BAND_K = 1
/** f_Rsi of the coldest surface of a room: its share of the way from outdoors to the air inside. */
export const SURFACE_FACTOR = { minimum: 0.3, maximum: 1 }
/** What DIN 4108-2 demands of a building; older ones have less at their thermal bridges. */
export const DEFAULT_SURFACE_FACTOR = 0.7
/** By how many kelvins a room may be warmed against mould; 0: not at all. */
export const MOULD_WARMING_K = { minimum: 0, maximum: 1 }
/** Kelvin below the target at night. */
export const SETBACK_K = { minimum: 0, maximum: 10 }
/** What may be set as the temperature of an empty building. */
export const AWAY_C = { minimum: 5, maximum: 25 }
/** Unless people choose another. */
export const USUAL_AWAY_C = 15
/** Of a building, with devices that stand for people. */
export const MOST_PEOPLE = 30
/** Who has not been reported for so long may be anywhere, and counts as home. */
export const PRESENCE_STALE_AFTER_MS = 24 * HOUR_MS
/** What follows when nobody is home: after how many minutes, and in how many hours rooms shall be warm again. */
export const PRESENCE_RULE = {
  afterMinutes: { minimum: 5, maximum: 720 },
  warmAgainHours: { minimum: 0.5, maximum: 24 },
  usual: { after_minutes: 30, target_temperature: 17, warm_again_hours: 3 },
}
/** What the button *Boost* of a room does: kelvin above the target, and for how long. */
export const BOOST = { kelvin: 2, hours: 1 }
/** What "too cold" and "too warm" do: kelvin with each press, for how long, and how far from the target or the plan. */
export const FEEDBACK = { kelvin: 0.5, hours: 3, mostKelvin: 2 }
/** Of a kWh, in any currency; the market pays for taking it at times. */
export const PRICE_PER_KWH = { minimum: -1000, maximum: 1000 }
/** Heat for each kWh that a boiler, district heat or electric heating takes. */
export const EFFICIENCY = { minimum: 0.3, maximum: 1.2 }
/** Of a heat pump at 2 °C outdoors and water of 35 °C. */
export const HEAT_PUMP_COP = { minimum: 1.5, maximum: 7 }
/** Of the water in a floor: a screed cracks above, and below the floor would cool. */
export const SUPPLY_LIMIT_C = { minimum: 15, maximum: 55, usualMinimum: 22, usualMaximum: 40 }
/** What a room may be cooled to. */
export const COOLING_TARGET_C = { minimum: 18, maximum: 30 }
/** The coldest water a gateway may ask for, whatever the dew point. */
export const COOLING_SUPPLY_C = { minimum: 10, maximum: 25 }
/** Kelvin by which surfaces and water stay above the dew point: as planned by the service, and at least at the gateway. */
export const DEW_MARGIN_K = { planned: 2, least: 1 }
/** The humidity of a room is not known any more when its reading is older than this. */
export const HUMIDITY_COUNTS_MS = HOUR_MS / 2
export const AREA_M2 = { minimum: 0.5, maximum: 10_000 }

export const NAME_MAX_LENGTH = 100
export const EMAIL_MAX_LENGTH = 254

/** A reading older than this no longer says how warm the room is. */
export const READING_STALE_AFTER_MS = HOUR_MS

/** Without a heartbeat for this long, a building is unavailable, unless the operator chose another time. */
export const SILENT_AFTER_S = 300

/** Requests a minute of one API key, unless the operator chose others. */
export const READS_A_MINUTE = 600
export const WRITES_A_MINUTE = 120

/** At this and below, a battery is to be changed. */
export const BATTERY_LOW_PCT = 15

/** Outdoor temperature for which a heating is designed; `usual` is that of the average climate of EN 14825. */
export const DESIGN_OUTDOOR_C = { minimum: -40, maximum: 10, usual: -10 }
