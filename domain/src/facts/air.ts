export const MOULD_RISKS = ['low', 'raised', 'high'] as const
export type MouldRisk = (typeof MOULD_RISKS)[number]

/** Whether opening the windows wide dries a room: now, from a later hour on, or not in the time known ahead. */
export const AIRING_ADVICE = ['now', 'later', 'no'] as const
