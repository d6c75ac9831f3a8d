import Type, { type Static } from 'typebox'
import { Comfort } from './energy.ts'
import { FloorType } from './floor.ts'
import { roomSettings } from './room-settings.ts'
import { Uuid } from './schema.ts'

const closed = { additionalProperties: false }
const { comfort_band, max_floor_temperature, surface_factor, mould_warming } = roomSettings
const { minimum_floor_temperature, target_of, blinds } = roomSettings

/** How warm a room may be, and its floor: on the interface of the heating control, not on /v1. */
export const RoomComfort = Type.Object(
  {
    comfort_band,
    max_floor_temperature,
    floor_type: FloorType,
    surface_factor,
    mould_warming,
    minimum_floor_temperature,
    target_of,
    blinds,
  },
  {
    description:
      'How closely a room is held at its setpoint, how warm its floor is at least and at most, what is known and done against mould, and its blinds.',
    examples: [
      {
        ...{ comfort_band: 0.5, max_floor_temperature: 29, floor_type: 'screed' },
        ...{ surface_factor: 0.7, mould_warming: 0, target_of: 'air' },
        minimum_floor_temperature: [{ temperature: 24, from: '06:00', to: '08:00' }],
        blinds: { sides: ['south'], above: 25 },
      },
    ],
  },
)
export type RoomComfort = Static<typeof RoomComfort>

export const RoomComfortPatch = Type.Object(
  {
    comfort_band: Type.Optional(comfort_band),
    max_floor_temperature: Type.Optional(max_floor_temperature),
    surface_factor: Type.Optional(surface_factor),
    mould_warming: Type.Optional(mould_warming),
    minimum_floor_temperature: Type.Optional(minimum_floor_temperature),
    target_of: Type.Optional(target_of),
    blinds: Type.Optional(blinds),
  },
  {
    ...closed,
    description: 'Only the fields sent change. The type of floor is read only.',
    examples: [{ comfort_band: 0.8 }, { minimum_floor_temperature: null }],
  },
)
export type RoomComfortPatch = Static<typeof RoomComfortPatch>

export const BuildingComfort = Type.Object(
  { comfort: Comfort },
  {
    ...closed,
    description: 'How firmly the rooms of a building are held at their setpoints.',
    examples: [{ comfort: 'balanced' }],
  },
)
export type BuildingComfort = Static<typeof BuildingComfort>

export const ProgrammeCopies = Type.Object(
  {
    room_ids: Type.Array(Uuid('A room of the same building.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'), {
      minItems: 1,
      maxItems: 100,
    }),
  },
  {
    ...closed,
    description: 'The rooms that get the programme.',
    examples: [{ room_ids: ['019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'] }],
  },
)
export type ProgrammeCopies = Static<typeof ProgrammeCopies>
