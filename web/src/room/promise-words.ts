import type { AppOutlook } from '@hypocaust/domain'
import type { WordingNow } from '../i18n/formats.ts'

/**
 * The one promise of a room: how warm it is expected to be, and when. Never what was wished. Undefined where nothing is
 * promised: the room is off, under manual power, or not heated by the control.
 */
export function promiseInWords(outlook: AppOutlook, words: WordingNow): string | undefined {
  return (
    comingInWords(outlook, words) ??
    missedInWords(outlook, words) ??
    nextInWords(outlook, words) ??
    lastingInWords(outlook, words)
  )
}

/** When the setpoint that holds now is reached; undefined where it is, or will not be. */
function comingInWords(outlook: AppOutlook, { t, format, now, timeZone }: WordingNow): string | undefined {
  if (outlook.reach !== 'expected' || outlook.reached_at === null) return undefined
  const time = format.until(Date.parse(outlook.reached_at), now, timeZone)
  return t('promise.about', { degrees: format.degrees(outlook.setpoint), time })
}

/** That the floor needs longer than the setpoint lasts, or more heat than there is. */
function missedInWords(outlook: AppOutlook, { t, format, now, timeZone }: WordingNow): string | undefined {
  const degrees = format.degrees(outlook.setpoint)
  if (outlook.why_not === 'too-little-heat') return t('promise.out_of_reach', { degrees })
  if (outlook.why_not !== 'ends-before' || outlook.next === null) return undefined
  return t('promise.not_by', { degrees, time: format.until(Date.parse(outlook.next.at), now, timeZone) })
}

/** Where nothing comes next: what the floor keeps, or that it need not be heated. */
function lastingInWords({ reach, activity, setpoint }: AppOutlook, { t, format }: WordingNow): string | undefined {
  if (reach !== 'reached') return undefined
  const isKept = activity === 'heating' || activity === 'between_openings'
  return isKept ? t('promise.stays', { degrees: format.degrees(setpoint) }) : t('promise.warm_enough')
}

/** What comes next: how warm the plan expects the room to be, and when the setpoint where that is later. */
export function nextInWords(outlook: AppOutlook, { t, format, now, timeZone }: WordingNow): string | undefined {
  const { next, warm_up: rise } = outlook
  const clock = (at: string) => format.until(Date.parse(at), now, timeZone)
  if (next === null) return undefined
  if (!rise) return t('promise.from', { degrees: format.degrees(next.setpoint), time: clock(next.at) })
  const values = {
    expected: format.degrees(rise.expected),
    degrees: format.degrees(rise.setpoint),
    time: clock(rise.at),
  }
  if (rise.in_time) return t('promise.at', values)
  if (rise.reached_at === null) return t('promise.never', values)
  return t('promise.late', { ...values, reached: clock(rise.reached_at) })
}
