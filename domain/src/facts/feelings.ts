/** How a person finds a room. */
export const FEELINGS = ['too_cold', 'too_warm'] as const
export type Feeling = (typeof FEELINGS)[number]
