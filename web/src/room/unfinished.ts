import type { AppBuilding, AppRoom } from '@hypocaust/domain'

/** A room that nothing can heat, or that nothing measures. */
export const isUnfinished = ({ valves, sensor }: AppRoom): boolean => valves.length === 0 || sensor === null

export const unfinishedRooms = ({ rooms }: AppBuilding): AppRoom[] => rooms.filter(isUnfinished)
