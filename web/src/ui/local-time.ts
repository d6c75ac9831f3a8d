import { DAY_MS } from '@hypocaust/domain/facts'
import type { Zone } from '../i18n/formats.ts'

const wallClocks = new Map<Zone, Intl.DateTimeFormat>()

/** Swedish writes dates as forms want them: 2026-11-20 18:00. */
function wallClockIn(timeZone: Zone): Intl.DateTimeFormat {
  const kept = wallClocks.get(timeZone)
  if (kept) return kept
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  wallClocks.set(timeZone, made)
  return made
}

/** A moment as a `datetime-local` field shows it, by the clocks of a building. */
export const localTimeOf = (atMs: number, timeZone: Zone): string =>
  wallClockIn(timeZone).format(atMs).replace(' ', 'T')

/** The moment at which the clocks of a building show this; where they show it twice, the first time. */
export function momentOf(localTime: string, timeZone: string): number {
  const asUtcMs = Date.parse(`${localTime}Z`)
  const aheadMs = (atMs: number) => Date.parse(`${localTimeOf(atMs, timeZone)}Z`) - Math.floor(atMs / 60_000) * 60_000
  const guesses = [asUtcMs - aheadMs(asUtcMs - DAY_MS), asUtcMs - aheadMs(asUtcMs + DAY_MS)]
  const fitting = guesses.filter((atMs) => localTimeOf(atMs, timeZone) === localTime)
  return Math.min(...(fitting.length > 0 ? fitting : guesses))
}
