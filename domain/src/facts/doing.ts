import { type Underscored, underscored } from './codes.ts'

/** A test, a search or the heat-up of a screed that holds the loops of a room, whatever the heating control decides. */
export const LOOPS_HELD = ['loop-test', 'loop-search', 'screed-heating'] as const
export type LoopsHeld = (typeof LOOPS_HELD)[number]

/** What a floor is doing and why, in one word: sentences in every language are made from it. */
export const DOINGS = [
  'off',
  'frost',
  'manual',
  ...LOOPS_HELD,
  'no-valve',
  'no-gateway',
  'gateway-lost',
  'watched',
  'watched-unseen',
  'learned-power',
  'open-window',
  'grid-lock',
  'left-out',
  'dew-unknown',
  'dew-point',
  'cooling',
  'cool-enough',
  'no-reading',
  'floor-limit',
  'base-warmth',
  'between-openings',
  'warming-ahead',
  'heating',
  'can-wait',
  'too-warm',
  'warm-enough',
] as const
export type Doing = (typeof DOINGS)[number]

/** The same as the interface writes it. */
export type Activity = Underscored<Doing>
export const ACTIVITIES: readonly Activity[] = DOINGS.map(underscored)
