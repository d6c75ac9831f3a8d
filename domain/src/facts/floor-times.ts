import type { Weekday } from './programme.ts'

/** Celsius that the floor shall have at least, from one local time to another; without days on each of them. */
export interface FloorTime {
  temperature: number
  from: string
  to: string
  days?: Weekday[]
}

export const MOST_FLOOR_TIMES = 14

/** What the target of a room is the temperature of. */
export const TARGETS_OF = ['air', 'floor'] as const
export type TargetOf = (typeof TARGETS_OF)[number]
