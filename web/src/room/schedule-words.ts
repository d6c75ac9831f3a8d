import type { AppRoom } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/**
 * Until when what counts now counts, and for what: "until 05:30", "away until Sun 18:00". For what the floor heats ahead:
 * "then 22.0° by 05:30". Undefined for the plain target.
 */
export function scheduleInWords(room: AppRoom, { t, format, now, timeZone }: WordingNow): string | undefined {
  const { reason, until, next } = room.schedule
  const comes = room.warming_for === null ? Number.NaN : Date.parse(room.warming_for)
  if (room.power > 0 && comes > now) {
    const time = format.until(comes, now, timeZone)
    const isNext = next !== null && Date.parse(next.at) === comes
    return isNext
      ? t('schedule.degrees_by', { degrees: format.degrees(next.setpoint), time })
      : t('schedule.warm_by', { time })
  }
  if (until === null) return undefined
  const time = format.until(Date.parse(until), now, timeZone)
  switch (reason) {
    case 'away':
      return t('schedule.away', { time })
    case 'override':
    case 'programme':
      return t('schedule.until', { time })
    case 'manual':
    case 'off':
      return room.override === null ? undefined : t(`schedule.${reason}`, { time })
    default:
      return undefined
  }
}
