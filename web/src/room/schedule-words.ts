import type { AppRoom } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/** Until when what counts now counts, and for what: "until 05:30", "away until Sun 18:00". Undefined for the plain target. */
export function scheduleInWords(room: AppRoom, { t, format, now, timeZone }: WordingNow): string | undefined {
  const { reason, until } = room.schedule
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
