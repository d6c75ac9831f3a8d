import Type, { type Static } from 'typebox'
import { ActorKind } from './app/change-log.ts'
import { Building } from './building.ts'
import type { Role } from './facts/roles.ts'
import { Room } from './room.ts'
import { Nullable, Timestamp } from './schema.ts'

const Value = (description: string) =>
  Type.Unsafe<unknown>({
    type: ['string', 'number', 'object', 'null'],
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    description,
    examples: [22.5],
  })

const exampleOf = (schema: object) => (schema as { examples: string[] }).examples[0]

/** One change of a setting that `/v1` shows. */
export const LogEntry = Type.Object({
  building_id: Building.properties.id,
  sequence: Type.Integer({ description: 'Rises within a building.' }),
  at: Timestamp('When.'),
  by: Type.Object({
    kind: ActorKind,
    name: Nullable(Type.String({ description: 'Of a key, a gateway or a rule; null for a person.' })),
    role: Type.Unsafe<Role | null>({
      type: ['string', 'null'],
      description: 'Of the person, or of the holder of the key, at that time.',
    }),
  }),
  room_id: Nullable(Type.String({ description: 'Null for a setting of the building.' })),
  subject: Type.String({ description: 'Name of the room or the building, at that time.' }),
  field: Type.String({ description: 'The setting; `room` where a room was added or removed.' }),
  before: Value('The value before, as its own path shows it; null where there was none.'),
  after: Value('The value afterwards; null where there is none.'),
})
export type LogEntry = Static<typeof LogEntry>

/** A page of what has been changed, on `/v1`. */
export const Log = Type.Object(
  {
    entries: Type.Array(LogEntry, { description: 'The latest first, at most 100.' }),
    next: Nullable(Type.String({ description: '`before` of the next page; null on the last.' })),
  },
  {
    description: 'Who changed what and when.',
    examples: [
      {
        entries: [
          {
            building_id: exampleOf(Building.properties.id),
            sequence: 412,
            at: '2026-01-10T08:15:03.000Z',
            by: { kind: 'key', name: 'Home Assistant', role: 'owner' },
            room_id: exampleOf(Room.properties.id),
            subject: 'Bathroom',
            field: 'target_temperature',
            before: 21,
            after: 22.5,
          },
        ],
        next: null,
      },
    ],
  },
)
export type Log = Static<typeof Log>
