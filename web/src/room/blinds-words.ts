import type { AppRoom, BlindsAdvice } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/**
 * Advice about the blinds of a room, whole and for its tile, or what the gateway does with them; undefined where none is to
 * be closed or is closed.
 */
export function blindsInWords(
  { blinds }: Pick<AppRoom, 'blinds'>,
  advice: BlindsAdvice | null | undefined,
  { t, format, now, timeZone }: WordingNow,
): { whole: string; short: string } | undefined {
  if (!blinds || !advice || now >= Date.parse(advice.open_at)) return undefined
  const isToClose = now < Date.parse(advice.close_at)
  const isMoved = (blinds.covers ?? []).length > 0
  const time = format.until(Date.parse(isToClose ? advice.close_at : advice.open_at), now, timeZone)
  const sides = advice.sides.map((side) => t(`blinds.${side}`))
  const which = sides.length < blinds.sides.length ? ` (${format.list(sides)})` : ''
  const values = { which, time, closed: format.degrees(advice.expected_closed), open: format.degrees(advice.expected) }
  const deed = isMoved ? (isToClose ? 'moves' : 'moved') : isToClose ? 'close' : 'closed'
  return { whole: t(`blinds.${deed}`, values), short: t(`blinds.${deed}_short`, { time }) }
}
