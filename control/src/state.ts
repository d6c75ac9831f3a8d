import type { FloorType } from '@hypocaust/domain'
import type { Learned } from './model.ts'

/** All the law remembers of a room: plain JSON, a few kilobytes, kept by whoever calls it. */
export type RoomControl = {
  version: 1
  floorType: FloorType
  learned: Learned
  updatedMs: number
  lastReadingMs: number | null
  lastAimC: number
  power: number
  frost: boolean
  integral: number
}
