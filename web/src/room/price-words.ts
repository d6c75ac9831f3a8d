import type { RoomExplanation } from '@hypocaust/domain'
import type { Formats } from '../i18n/formats.ts'
import type { Translate } from '../i18n/translator.ts'

interface Words {
  t: Translate
  format: Formats
  now: number
  /** Of the building. */
  timeZone: string
}

/** Where the price of heat changed the plan: "Heat is cheap until 05:00: the floor stores it." */
export const priceInWords = (
  { kind, until }: NonNullable<RoomExplanation['price']>,
  { t, format, now, timeZone }: Words,
): string => t(`why.price_${kind}`, { time: format.until(Date.parse(until), now, timeZone) })
