import { localTime } from '@hypocaust/domain'

/** Hours of every day, by the clock of the building, in which no heat comes whatever is asked for: a timer of the boiler. */
export type IdleHours = {
  fromMinute: number
  /** Smaller than `fromMinute` where they go over midnight. */
  toMinute: number
}

/** A state of an earlier version has none. */
export const isIdle = (hours: IdleHours | null | undefined, timeZone: string, atMs: number): boolean =>
  !!hours && isWithin(hours, localTime(timeZone, atMs).minuteOfDay)

export function isWithin({ fromMinute, toMinute }: IdleHours, minuteOfDay: number): boolean {
  const [isAfter, isBefore] = [minuteOfDay >= fromMinute, minuteOfDay < toMinute]
  return fromMinute < toMinute ? isAfter && isBefore : isAfter || isBefore
}
