import { filled } from './words.js'

/** Whose decimal sign each setting of Home Assistant's profile means. */
const NUMBERS = { comma_decimal: 'en', decimal_comma: 'de', space_comma: 'fr', quote_decimal: 'de-CH', none: 'en' }
const CYCLES = { 12: 'h12', 24: 'h23' }

/** Temperatures and times as the person who looks has chosen them, by the clock of the house. */
export function formatsOf({ locale, language, config }, words) {
  const speech = locale?.language ?? language
  const numbers = new Intl.NumberFormat(NUMBERS[locale?.number_format] ?? speech, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  const clock = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: CYCLES[locale?.time_format],
    timeZone: config.time_zone,
  }
  const times = new Intl.DateTimeFormat(speech, clock)
  const timesOfOtherDays = new Intl.DateTimeFormat(speech, { ...clock, weekday: 'short' })
  const days = new Intl.DateTimeFormat('sv', { timeZone: config.time_zone })
  const hours = new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone: config.time_zone })
  const degrees = (value) => (value === null ? '–' : `${numbers.format(value)}°`)
  const time = (at) => times.format(at)
  const timeFrom = (at, now) => (days.format(at) === days.format(now) ? times : timesOfOtherDays).format(at)
  return {
    degrees,
    time,
    timeFrom,
    hour: (at) => Number(hours.format(at)),
    say: (key, values) => filled(words[key], values),
  }
}

/** What the floor does, and why, in one line. */
export function whyOf(room, hass, words, formats, now) {
  if (!room.thermostat) return ''
  if (room.thermostat.state === 'unavailable') return hass.formatEntityState(room.thermostat)
  const until = room.until && formats.say('until', { time: formats.timeFrom(new Date(room.until), now) })
  const then = room.until && room.next !== null && formats.say('next', { temperature: formats.degrees(room.next) })
  const wish = [words.reason[room.reason], until].filter(Boolean).join(' ')
  const plan = [wish, then].filter(Boolean).join(', ')
  return [room.activity && hass.formatEntityState(room.activity), plan].filter(Boolean).join(' · ')
}
