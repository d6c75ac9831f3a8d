import type { AppOutlook, AppRoom } from '@hypocaust/domain'
import { HOUR_MS } from '@hypocaust/domain/facts'
import type { WordingNow } from '../i18n/formats.ts'
import { modeOf } from './words.ts'

/** Slower than this is not worth a figure. */
const LEAST_KELVIN_PER_H = 0.05
/** Less would be shown as none. */
const LEAST_KWH = 0.05

/**
 * Where the room is, where it goes, by when; then what comes next. A room that was just turned off is off, although its
 * outlook is still the one of before.
 */
export function outlookInWords(outlook: AppOutlook, room: AppRoom, words: WordingNow): string[] {
  if (modeOf(room) === 'off' && outlook.why_not !== 'off') return [words.t('outlook.no_off'), ...airNow(room, words)]
  return heatingAhead(outlook, room, words) ?? [...whatNow(outlook, room, words), ...whatNext(outlook, words)]
}

/** Of a room that is warm enough for now and heated for what comes next. */
function heatingAhead({ reach, warm_up: rise }: AppOutlook, room: AppRoom, words: WordingNow): string[] | undefined {
  const { t, format, now, timeZone } = words
  const air = room.current_temperature
  if (reach !== 'reached' || !rise || air === null || room.power === 0 || room.warming_for === null) return undefined
  const values = {
    degrees: format.degrees(air),
    setpoint: format.degrees(rise.setpoint),
    time: format.until(Date.parse(rise.at), now, timeZone),
  }
  return [t(rise.in_time ? 'outlook.heating_ahead' : 'outlook.heating_ahead_late', values)]
}

const airNow = ({ current_temperature: airC }: AppRoom, { t, format }: WordingNow): string[] =>
  airC === null ? [] : [t('outlook.is', { degrees: format.degrees(airC) })]

function whatNow(outlook: AppOutlook, room: AppRoom, words: WordingNow): string[] {
  const { t, format } = words
  const air = room.current_temperature
  const setpoint = format.degrees(outlook.setpoint)
  const isHeating = room.power > 0
  if (outlook.reach === 'reached') {
    if (air === null) return [t('outlook.warm_enough', { setpoint })]
    return [t(isHeating ? 'outlook.holding' : 'outlook.reached', { setpoint, degrees: format.degrees(air) })]
  }
  if (outlook.reach === 'no') {
    const power = format.percent(room.override?.power ?? room.manual_power.power)
    return [t(`outlook.no_${outlook.why_not ?? 'too-little-heat'}`, { setpoint, power }), ...airNow(room, words)]
  }
  const reachedMs = Date.parse(outlook.reached_at ?? '')
  const time = format.until(reachedMs, words.now, words.timeZone)
  const { heat_kwh: heatKwh } = outlook
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

function whatNext({ next, warm_up: rise }: AppOutlook, { t, format, now, timeZone }: WordingNow): string[] {
  const time = (at: string) => format.until(Date.parse(at), now, timeZone)
  if (rise?.heats_from && Date.parse(rise.heats_from) > now) {
    const values = { setpoint: format.degrees(rise.setpoint), time: time(rise.at), from: time(rise.heats_from) }
    return [t(rise.in_time ? 'outlook.will_heat' : 'outlook.will_heat_late', values)]
  }
  if (next === null) return []
  return [t('outlook.next', { time: time(next.at), setpoint: format.degrees(next.setpoint) })]
}
