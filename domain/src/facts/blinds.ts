/** The walls whose sun the model of a room knows. */
export const SIDES = ['east', 'south', 'west'] as const
export type Side = (typeof SIDES)[number]

/** Blinds are for warm rooms: no room is kept from the sun below this. */
export const BLINDS_ABOVE_C = { minimum: 20, maximum: 32 } as const
