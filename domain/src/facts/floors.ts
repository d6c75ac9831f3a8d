export const FLOOR_TYPES = ['screed', 'dry', 'timber', 'slab', 'electric'] as const
export type FloorType = (typeof FLOOR_TYPES)[number]

/** The window in which `power` is the open share. Slow floors can have longer ones, and spare the valve. */
export const WINDOW_S: Record<FloorType, number> = { screed: 1800, dry: 900, timber: 1800, slab: 3600, electric: 900 }

/** Highest surface temperature where people stay, when the building's file names none. */
export const MAX_FLOOR_C = 29

/**
 * How a floor answers, in hours. `answersH`: dead time and the slower of its own time constants, after which heat must
 * show. `patienceH`: three of the latter, after which what full heat can do within a day is done. `roomH`: the
 * dominant time constant, with which the whole room nears its balance.
 */
export const FLOOR_RESPONSE: Record<FloorType, { answersH: number; patienceH: number; roomH: number }> = {
  screed: { answersH: 4, patienceH: 9, roomH: 55 },
  dry: { answersH: 2, patienceH: 6, roomH: 39 },
  timber: { answersH: 7, patienceH: 15, roomH: 56 },
  slab: { answersH: 9, patienceH: 15, roomH: 106 },
  electric: { answersH: 2, patienceH: 6, roomH: 40 },
}
