import type { Static } from 'typebox'
import { FLOOR_TYPES } from './facts/floors.ts'
import { OneOf } from './schema.ts'

export { FLOOR_RESPONSE, FLOOR_TYPES, MAX_FLOOR_C, WINDOW_S } from './facts/floors.ts'

export const FloorType = OneOf(FLOOR_TYPES, 'How the floor is built: it decides how long a room takes to answer.')
export type FloorType = Static<typeof FloorType>
