import type { AppOutlook } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/** What is said of a floor that is held, or heated for its minimum: "Keeping the floor at 24° until 08:00." */
export function floorInWords({ target_of, warm_floor: warm }: AppOutlook, words: WordingNow): string[] {
  const { t, format, now, timeZone } = words
  const held = target_of === 'floor' ? [t('outlook.of_floor')] : []
  if (!warm) return held
  const isNow = Date.parse(warm.from) <= now
  const time = format.until(Date.parse(isNow ? warm.until : warm.from), now, timeZone)
  const degrees = format.degrees(warm.temperature)
  return [...held, t(isNow ? 'outlook.keeps_floor' : 'outlook.warms_floor', { degrees, time })]
}
