import type { AppOutlook, AppRoom } from '@hypocaust/domain'
import { type Activity, HOUR_MS, LOOPS_HELD, underscored } from '@hypocaust/domain/facts'
import type { WordingNow } from '../i18n/formats.ts'
import { nextInWords } from './promise-words.ts'
import { modeOf } from './words.ts'

/** Slower than this is not worth a figure. */
const LEAST_KELVIN_PER_H = 0.05
/** Less would be shown as none. */
const LEAST_KWH = 0.05

/**
 * What the floor is doing and why, where the room goes and by when; then what comes next. Everything follows from
 * `activity`, which the service decides for `/v1` as well. A room that was just turned off is off, although its outlook is
 * still the one of before.
 */
export function outlookInWords(outlook: AppOutlook, room: AppRoom, words: WordingNow): string[] {
  if (!isFor(room, outlook))
    return [...(modeOf(room) === 'off' ? [words.t('outlook.off')] : []), ...airNow(room, words)]
  return [
    ...whatNow(outlook, heldIn(outlook, room), words),
    ...floorInWords(outlook, words),
    ...whatNext(outlook, words),
  ]
}

/** Of a room whose floor is held, the temperature of the floor is what its setpoint is compared with. */
const heldIn = ({ target_of, floor_temperature }: AppOutlook, room: AppRoom): AppRoom =>
  target_of === 'floor' ? { ...room, current_temperature: floor_temperature } : room

/** What is said of a floor that is held, or heated for its minimum: "Keeping the floor at 24° until 08:00." */
function floorInWords({ target_of, warm_floor: warm }: AppOutlook, words: WordingNow): string[] {
  const { t, format, now, timeZone } = words
  const held = target_of === 'floor' ? [t('outlook.of_floor')] : []
  if (!warm) return held
  const isNow = Date.parse(warm.from) <= now
  const time = format.until(Date.parse(isNow ? warm.until : warm.from), now, timeZone)
  const degrees = format.degrees(warm.temperature)
  return [...held, t(isNow ? 'outlook.keeps_floor' : 'outlook.warms_floor', { degrees, time })]
}

const BY_HAND: Activity[] = ['manual', 'off', 'frost']

/** Whether an outlook is for what the holder wants now; after a change the next one takes a moment. */
function isFor(room: AppRoom, { activity }: AppOutlook): boolean {
  if (LOOPS_HELD.some((held) => underscored(held) === activity)) return true
  const mode = modeOf(room)
  if (mode === 'automatic') return !BY_HAND.includes(activity)
  return mode === 'manual' ? activity === 'manual' : activity === 'off' || activity === 'frost'
}

const airNow = ({ current_temperature: airC }: AppRoom, { t, format }: WordingNow): string[] =>
  airC === null ? [] : [t('outlook.is', { degrees: format.degrees(airC) })]

function whatNow(outlook: AppOutlook, room: AppRoom, words: WordingNow): string[] {
  const { t, format } = words
  const { activity } = outlook
  const air = airNow(room, words)
  switch (activity) {
    case 'off':
    case 'no_valve':
    case 'no_gateway':
    case 'gateway_lost':
    case 'watched':
    case 'watched_unseen':
    case 'open_window':
    case 'grid_lock':
    case 'floor_limit':
    case 'left_out':
    case 'dew_unknown':
    case 'dew_point':
      return [t(`outlook.${activity}`), ...air]
    case 'cooling':
    case 'cool_enough':
      return [t(`outlook.${activity}`, { setpoint: format.degrees(outlook.setpoint) }), ...air]
    case 'frost':
    case 'loop_test':
    case 'loop_search':
    case 'screed_heating':
    case 'manual':
    case 'learned_power':
      return [t(`outlook.${activity}`, { power: format.percent(room.power) }), ...air]
    case 'no_reading':
      return [t('outlook.no_reading')]
    case 'warming_ahead':
      return outlook.reach === 'reached' ? [...air, t('outlook.warming_ahead')] : towards(outlook, room, words)
    case 'base_warmth':
      return [...towards(outlook, room, words), t('outlook.base_warmth')]
    case 'between_openings':
    case 'heating':
    case 'can_wait':
    case 'too_warm':
    case 'warm_enough':
      return towards(outlook, room, words)
  }
}

/** Of a room that the control heats, or lets rest: whether it is warm enough, or when it will be. */
function towards(outlook: AppOutlook, room: AppRoom, words: WordingNow): string[] {
  const { t, format } = words
  const air = room.current_temperature
  const setpoint = format.degrees(outlook.setpoint)
  if (outlook.reach === 'reached') {
    const state =
      outlook.activity === 'heating' || outlook.activity === 'between_openings' ? outlook.activity : 'reached'
    return air === null
      ? [t('outlook.warm_enough', { setpoint })]
      : [t(`outlook.holds_${state}`, { setpoint, degrees: format.degrees(air) })]
  }
  if (outlook.reach === 'no') {
    const why = outlook.why_not === 'ends-before' ? 'ends-before' : 'too-little-heat'
    return [t(`outlook.no_${why}`, { setpoint }), ...airNow(room, words)]
  }
  return coming(outlook, room, words)
}

function coming(outlook: AppOutlook, room: AppRoom, words: WordingNow): string[] {
  const { t, format } = words
  const air = room.current_temperature
  const setpoint = format.degrees(outlook.setpoint)
  const reachedMs = Date.parse(outlook.reached_at ?? '')
  const time = format.until(reachedMs, words.now, words.timeZone)
  const { heat_kwh: heatKwh } = outlook
  const isHeating = room.power > 0 && outlook.activity !== 'base_warmth'
  const isHeatNamed = heatKwh !== null && heatKwh >= LEAST_KWH
  if (!isHeating && heatKwh !== null && !isHeatNamed)
    return [t('outlook.comes_by_itself', { setpoint, time }), ...airNow(room, words)]
  const first = t(isHeating ? 'outlook.heating_to' : 'outlook.comes_to', { setpoint, time })
  if (air === null) return [first]
  const kelvinPerH = ((outlook.setpoint - air) / (reachedMs - words.now)) * HOUR_MS
  const pace =
    kelvinPerH > LEAST_KELVIN_PER_H && Number.isFinite(kelvinPerH)
      ? t('outlook.is_and_warms', { degrees: format.degrees(air), kelvin: format.kelvin(kelvinPerH) })
      : t('outlook.is', { degrees: format.degrees(air) })
  return [first, pace, ...(isHeatNamed ? [t('outlook.takes', { kwh: format.decimal(heatKwh) })] : [])]
}

/** What comes next, and from when the floor is heated for it. */
function whatNext(outlook: AppOutlook, words: WordingNow): string[] {
  const { t, format, now, timeZone } = words
  const promise = nextInWords(outlook, words)
  if (promise === undefined) return []
  const from = outlook.warm_up?.heats_from
  // Of a floor that is heated for it already, nothing begins.
  if (!from || Date.parse(from) <= now || outlook.activity === 'warming_ahead') return [t('outlook.next', { promise })]
  return [t('outlook.will_heat', { promise, from: format.until(Date.parse(from), now, timeZone) })]
}
