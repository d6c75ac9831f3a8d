import type { AppRoom, BlindsAdvice } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/** Advice about the blinds of a room, whole and for its tile; undefined where none is to be closed or is closed. */
export function blindsInWords(
  { blinds }: Pick<AppRoom, 'blinds'>,
  advice: BlindsAdvice | null | undefined,
  { t, format, now, timeZone }: WordingNow,
): { whole: string; short: string } | undefined {
  if (!blinds || !advice || now >= Date.parse(advice.open_at)) return undefined
  const isToClose = now < Date.parse(advice.close_at)
  const time = format.until(Date.parse(isToClose ? advice.close_at : advice.open_at), now, timeZone)
  const sides = advice.sides.map((side) => t(`blinds.${side}`))
  const values = { time, closed: format.degrees(advice.expected_closed), open: format.degrees(advice.expected) }
  const deed = t(isToClose ? 'blinds.close' : 'blinds.closed', values)
  return {
    whole: sides.length < blinds.sides.length ? `${deed} (${format.list(sides)})` : deed,
    short: t(isToClose ? 'blinds.close_short' : 'blinds.closed_short', { time }),
  }
}
