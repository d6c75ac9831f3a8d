import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { readingsOf } from './sensors.ts'

/** A room that nothing can heat, or that nothing measures. */
export const isUnfinished = (room: AppRoom): boolean => room.valves.length === 0 || readingsOf(room).length === 0

export const unfinishedRooms = ({ rooms }: AppBuilding): AppRoom[] => rooms.filter(isUnfinished)
