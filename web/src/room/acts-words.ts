import type { AppRoom } from '@hypocaust/domain'
import { DAY_MS, underscored } from '@hypocaust/domain/facts'
import type { WordingNow } from '../i18n/formats.ts'
import { localTimeOf } from '../ui/local-time.ts'
import { modeOf } from './words.ts'

/** A day without its time, as a tile of a phone has no place for both. */
const FAR_MS = 6 * DAY_MS

/** From this hour on a lowered room is lowered for the night, and until the other. */
const NIGHT_H = { from: 20, to: 9 }

/**
 * What acts on a room now, by its name, and whether that is a temperature: "Night", "Comfort", "Until 21:00". Under manual
 * power, off, and where another thermostat or a test of the loops has the floor, no temperature is aimed for.
 */
export function actsInWords(room: AppRoom, words: WordingNow): { name: string; isTemperature: boolean } {
  const { t, format, now, timeZone } = words
  const temperature = (name: string) => ({ name, isTemperature: true })
  const other = (name: string) => ({ name, isTemperature: false })
  if (room.loops_held) return other(t(`acts.${underscored(room.loops_held)}`))
  if (room.only_watch) return other(t('acts.watched'))
  const endOf = (atMs: number) => (atMs - now < FAR_MS ? format.until(atMs, now, timeZone) : format.day(atMs, timeZone))
  const ends = room.override ? endOf(Date.parse(room.override.until)) : undefined
  switch (modeOf(room)) {
    case 'off':
      return other(ends ? t('acts.off_until', { time: ends }) : t(room.power > 0 ? 'acts.frost' : 'acts.off'))
    case 'manual':
      return other(ends ? t('acts.manual_until', { time: ends }) : t('acts.manual'))
    case 'automatic':
      if (room.cools) return other(t('acts.cooling_season'))
      return temperature(ends ? t('acts.until', { time: ends }) : t(`acts.${named(room, now, timeZone)}`))
  }
}

function named(
  { schedule }: AppRoom,
  now: number,
  timeZone: string,
): 'comfort' | 'away' | 'calendar' | 'presence' | 'night' | 'lowered' {
  if (schedule.reason === 'calendar') return 'calendar'
  if (schedule.reason === 'away' || schedule.reason === 'presence') return schedule.reason
  if (schedule.reason !== 'programme') return 'comfort'
  const hour = Number(localTimeOf(now, timeZone).slice(11, 13))
  return hour >= NIGHT_H.from || hour < NIGHT_H.to ? 'night' : 'lowered'
}
