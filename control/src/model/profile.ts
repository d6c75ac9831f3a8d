import { localTime } from '@hypocaust/domain'

/** Heat by hour of the day in W/m²: 24 hours of a weekday, then 24 of a weekend. */
export type Profile = number[]
const PROFILE_HOURS = 48

export const noProfile = (): Profile => new Array(PROFILE_HOURS).fill(0)

export function profileHour(timeZone: string, atMs: number): number {
  const { minuteOfDay, weekend } = localTime(timeZone, atMs)
  return Math.floor(minuteOfDay / 60) + (weekend ? 24 : 0)
}

export const peopleAt = (profile: Profile, timeZone: string, atMs: number): number =>
  profile[profileHour(timeZone, atMs)] ?? 0
