import type { Static } from 'typebox'
import { OneOf } from './schema.ts'

export const FLOOR_TYPES = ['screed', 'dry', 'timber', 'slab', 'electric'] as const

export const FloorType = OneOf(FLOOR_TYPES, 'How the floor is built: it decides how long a room takes to answer.')
export type FloorType = Static<typeof FloorType>

/** The window in which `power` is the open share. Slow floors can have longer ones, and spare the valve. */
export const WINDOW_S: Record<FloorType, number> = { screed: 1800, dry: 900, timber: 1800, slab: 3600, electric: 900 }

/** Highest surface temperature where people stay, when the building's file names none. */
export const MAX_FLOOR_C = 29
