/** Whether the source heats or cools; automatic goes by the changeover. */
export const SEASONS = ['heating', 'cooling', 'automatic'] as const
export type Season = (typeof SEASONS)[number]

/** By the mean of a day outdoors, or as a changeover contact or the source itself reports to a gateway. */
export const CHANGEOVERS = ['outdoor', 'reported'] as const
export type Changeover = (typeof CHANGEOVERS)[number]

/** Celsius outdoors, as the mean of a day: the building cools above the first and heats below the second. */
export const CHANGEOVER_C = { minimum: 5, maximum: 35, cooling: 20, heating: 16 }

/** Why a building does not cool although its season says so. */
export const COOLING_BLOCKS = ['no_gateway', 'frost', 'screed'] as const
