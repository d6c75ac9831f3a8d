/** The walls whose sun the model of a room knows. */
export const SIDES = ['east', 'south', 'west'] as const
export type Side = (typeof SIDES)[number]

/** Percent to which a cover is moved against the sun, 100 is open. */
export const COVER_POSITION = { minimum: 0, maximum: 80 } as const
export const USUAL_COVER_POSITION = 10
export const MOST_COVERS_OF_ROOM = 16

/** Blinds are for warm rooms: no room is kept from the sun below this. */
export const BLINDS_ABOVE_C = { minimum: 20, maximum: 32 } as const
