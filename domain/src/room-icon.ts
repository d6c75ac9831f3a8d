import Type, { type Static } from 'typebox'
import { ROOM_ICONS } from './facts/room-icons.ts'
import { OneOf } from './schema.ts'

export const RoomIcon = OneOf(ROOM_ICONS, 'The picture of the room on pages.')
export type RoomIcon = Static<typeof RoomIcon>

export const RoomIconOrNull = Type.Unsafe<RoomIcon | null>({
  ...RoomIcon,
  type: ['string', 'null'],
  enum: [...ROOM_ICONS, null],
  description: 'The picture of the room on pages; null: by its name.',
})
