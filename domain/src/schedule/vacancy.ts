import { PRESENCE_STALE_AFTER_MS } from '../facts/limits.ts'
import { MINUTE_MS } from '../facts/time.ts'
import type { Vacancy } from './types.ts'

/** A person, or a device that stands for one, as last reported: nothing older is known. */
export type Occupant = { name: string; isHome: boolean; sinceMs: number; reportedMs: number }

/** What follows when nobody is home. */
type VacancyRule = { afterMinutes: number; targetC: number }

/** Null where it has not been reported for so long that nobody knows. */
export const isHomeAt = ({ isHome, reportedMs }: Occupant, atMs: number): boolean | null =>
  atMs < reportedMs + PRESENCE_STALE_AFTER_MS ? isHome : null

/**
 * When a room is not used: while all who use it are away. Who is missing or has not been reported for long may be home,
 * and then the room stays as planned.
 */
export function vacancyOf(
  occupants: Occupant[],
  rule: VacancyRule | null,
  /** Null: whoever is home uses the room. */
  usedBy: string[] | null,
  /** How far it can be warmed again in time; null while unknown. */
  mostK: number | null,
): Vacancy | null {
  const users = usedBy === null ? occupants : usedBy.map((name) => occupants.find((each) => each.name === name))
  if (!rule || mostK === null || users.length === 0) return null
  const away = users.filter((user) => user !== undefined && !user.isHome) as Occupant[]
  if (away.length < users.length) return null
  const fromMs = Math.max(...away.map(({ sinceMs }) => sinceMs)) + rule.afterMinutes * MINUTE_MS
  const untilMs = Math.min(...away.map(({ reportedMs }) => reportedMs)) + PRESENCE_STALE_AFTER_MS
  return untilMs > fromMs ? { fromMs, untilMs, targetC: rule.targetC, mostK } : null
}
