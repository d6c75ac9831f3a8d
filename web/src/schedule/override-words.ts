import type { RoomOverride } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/** What holds, and until when. */
export function overrideInWords(override: RoomOverride, { t, format, now, timeZone }: WordingNow): string {
  const time = format.until(Date.parse(override.until), now, timeZone)
  if (override.target_temperature !== undefined)
    return t('override.target_until', { degrees: format.degrees(override.target_temperature), time })
  if (override.power) return t('override.power_until', { power: format.percent(override.power), time })
  return t('override.off_until', { time })
}
