/** What a building needs, the most pressing first: something is wrong, no reports, an unfinished set-up, or nothing. */
export const NEEDS = ['attention', 'unavailable', 'unfinished', 'fine'] as const
export type Need = (typeof NEEDS)[number]

export const MAX_TAGS = 10
export const TAG_MAX_LENGTH = 30
