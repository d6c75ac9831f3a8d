import type { RoomExplanation } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/** Where the price of heat changed the plan: "Heat is cheap until 05:00: the floor stores it." */
export const priceInWords = (
  { kind, until }: NonNullable<RoomExplanation['price']>,
  { t, format, now, timeZone }: WordingNow,
): string => t(`why.price_${kind}`, { time: format.until(Date.parse(until), now, timeZone) })
