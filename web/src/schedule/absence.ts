import type { AppBuilding } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/domain/facts'
import type { WordingNow } from '../i18n/formats.ts'

/** An absence in words: from when until when. The clock of a page is coarse: one that begins within the minute has begun. */
export function absenceInWords({ away }: Pick<AppBuilding, 'away'>, { t, format, now, timeZone }: WordingNow) {
  if (!away) return undefined
  const time = (at: string) => format.until(Date.parse(at), now, timeZone)
  return {
    isAhead: Date.parse(away.from) > now + MINUTE_MS,
    from: time(away.from),
    until: away.until === null ? t('away.until_back') : time(away.until),
  }
}
