import type { NightMode } from '@hypocaust/domain'
import { localTime } from './local-time.ts'
import type { Aim, RoomSettings } from './types.ts'

/** What the settings ask for at a moment: night and absence lower the aim, never the holder's target. */
export function aimAt(settings: RoomSettings, atMs: number): Aim {
  const { targetC, bandK, away, nightMode } = settings
  if (away && atMs < away.untilMs) return aim(Math.min(targetC, away.targetC), bandK, 'away')
  if (nightMode && isNight(nightMode, settings.timeZone, atMs)) return aim(targetC - nightMode.setback, bandK, 'night')
  return aim(targetC, bandK, 'day')
}

export function aim(targetC: number, bandK: number, reason: Aim['reason']): Aim {
  return { targetC, lowC: targetC - bandK, highC: targetC + bandK, occupied: reason === 'day', reason }
}

/** Every moment is judged by the row of its own day, so Friday's evening is a weekday's and Saturday's morning is not. */
export function isNight(night: NightMode, timeZone: string, atMs: number): boolean {
  const { minuteOfDay, weekend } = localTime(timeZone, atMs)
  const row = weekend && night.weekend ? night.weekend : night
  const from = minutes(row.from)
  const to = minutes(row.to)
  if (from === to) return false
  return from < to ? minuteOfDay >= from && minuteOfDay < to : minuteOfDay >= from || minuteOfDay < to
}

function minutes(clock: string): number {
  return 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3, 5))
}
