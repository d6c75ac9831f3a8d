/** From this many buildings on, a list needs a search. */
const LONG = 8

export const isLongList = (buildings: unknown[]): boolean => buildings.length >= LONG
