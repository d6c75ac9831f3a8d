import { gramsPerM3, vapourHpa } from '@hypocaust/domain/facts'

export type Air = { airC: number; humidityPct: number }

/** Whether to open the windows wide: now and for how long, from an hour to come on, or not at all. */
export type AiringAdvice =
  | { kind: 'now'; minutes: number; gramsPerM3: number }
  | { kind: 'later'; atMs: number }
  | { kind: 'no' }

/** With less of a difference it is not worth the heat. */
const WORTH_G_M3 = 1
/** Four fifths of the air are new after this many changes of it. */
const CHANGES = Math.log(5)
/**
 * Changes of air in an hour through windows that are wide open, for a difference of one kelvin. Warm air rises out with
 * the root of the difference: five minutes in frost and half an hour in summer, as the German environment agency advises.
 */
const CHANGES_PER_HOUR = 4.5
const MINUTES = { minimum: 5, maximum: 30 }

/** What airing takes out of each cubic metre once the new air is as warm as the room. */
export const driesBy = (room: Air, outdoor: Air): number =>
  gramsPerM3(vapourHpa(room.airC, room.humidityPct), room.airC) -
  gramsPerM3(vapourHpa(outdoor.airC, outdoor.humidityPct), room.airC)

export function airingMinutes(room: Air, outdoor: Air): number {
  const differenceK = Math.max(1, Math.abs(room.airC - outdoor.airC))
  const minutes = (60 * CHANGES) / (CHANGES_PER_HOUR * Math.sqrt(differenceK))
  return Math.round(Math.min(MINUTES.maximum, Math.max(MINUTES.minimum, minutes)))
}

/** `ahead` begins with now. */
export function airingAdvice(room: Air, ahead: { atMs: number; outdoor: Air }[]): AiringAdvice {
  const first = ahead.findIndex(({ outdoor }) => driesBy(room, outdoor) >= WORTH_G_M3)
  const found = ahead[first]
  if (!found) return { kind: 'no' }
  if (first > 0) return { kind: 'later', atMs: found.atMs }
  return { kind: 'now', minutes: airingMinutes(room, found.outdoor), gramsPerM3: driesBy(room, found.outdoor) }
}
