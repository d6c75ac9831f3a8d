import Type, { type Static } from 'typebox'
import { SCREED_LIMIT, SCREED_PROGRAMMES, SCREED_TROUBLES } from '../facts/screed.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../schema.ts'

const closed = { additionalProperties: false }
const Celsius = (description: string) => Nullable(Type.Number({ description }))
const NullOr = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number] | null>({ type: ['string', 'null'], enum: [...values, null], description })
const MOST_FILE_CHARACTERS = 16_384

export const ScreedStart = Type.Object(
  {
    programme: OneOf(SCREED_PROGRAMMES, 'own: the steps are in file.'),
    max: Type.Optional(
      Type.Number({
        minimum: SCREED_LIMIT.leastC,
        maximum: SCREED_LIMIT.mostC,
        description: 'The warmest water of functional and covering, in °C.',
        examples: [45],
      }),
    ),
    file: Type.Optional(
      Type.String({ maxLength: MOST_FILE_CHARACTERS, description: 'YAML with name and steps, for the programme own.' }),
    ),
    restart_after_hours: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 720,
        description:
          'An interruption that lasts longer begins the programme anew. Null: it always goes on where it stood.',
        examples: [24],
      }),
    ),
  },
  closed,
)
export type ScreedStart = Static<typeof ScreedStart>

const Step = Type.Object({ hours: Type.Number(), supply_c: Type.Number() })

const ScreedRunning = Type.Object({
  id: Uuid('Of the record.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'),
  name: Type.String({ description: 'Of the programme.' }),
  started_at: Timestamp('When it began.'),
  steps: Type.Array(Step),
  step: Type.Integer({ description: 'Which of the steps is under way, from 0.' }),
  held_hours: Type.Number({ description: 'Hours of the programme that count as done.' }),
  all_hours: Type.Number({ description: 'Hours of the whole programme.' }),
  supply_c: Type.Number({ description: 'What the heat source is asked for, in °C.' }),
  trouble: NullOr(SCREED_TROUBLES, 'What is not as it asks; null while all is.'),
  trouble_since: Nullable(Timestamp('Since when.')),
  ended_at: Nullable(Timestamp('Null while it runs.')),
  ended_because: NullOr(['finished', 'stopped'], 'Done, or stopped by a person; null while it runs.'),
})

const Record = Type.Object({
  id: Uuid('Of the record.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'),
  started_at: Timestamp('When the programme began.'),
  entries: Type.Integer({ description: 'How many entries it has.' }),
})

/** The heat-up of a screed: what may be started, what runs, and the records. */
export const AppScreed = Type.Object({
  min: Celsius('The coldest water the heat source may be asked for; null where nobody asks it.'),
  max: Celsius('The warmest.'),
  measured: Celsius('The supply temperature as measured; null where no gateway measures it.'),
  loops: Type.Integer({ description: 'How many loops of rooms a programme would open.' }),
  run: Type.Unsafe<Static<typeof ScreedRunning> | null>({ ...ScreedRunning, type: ['object', 'null'] }),
  records: Type.Array(Record),
})
export type AppScreed = Static<typeof AppScreed>

/** One line of a record. `text` is JSON; `hash` is the SHA-256 of the hash before it, a line feed and `text`. */
const RecordEntry = Type.Object({
  n: Type.Integer(),
  text: Type.String(),
  hash: Type.String(),
})

export const ScreedRecord = Type.Object({
  format: OneOf(['hypocaust-screed-record-1'], 'Of this file.'),
  building: Type.String({ description: 'Its name today.' }),
  timezone: Type.String(),
  id: Uuid('Of the record.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'),
  entries: Type.Array(RecordEntry),
  changed_at: Nullable(
    Type.Integer({ description: 'The first entry that does not follow from the one before it; null: none.' }),
  ),
  has_gap: Type.Boolean({ description: 'Whether there is time between start and end of which no entry speaks.' }),
  is_ended: Type.Boolean({ description: 'Whether the last entry is the end of the programme.' }),
  signature: Type.Object({
    algorithm: OneOf(['Ed25519'], 'Of the signature.'),
    public_key: Type.String({ description: 'Of this service, as PEM.' }),
    signed: Type.String({ description: 'The text that is signed: format, id, number of entries, last hash.' }),
    value: Type.String({ description: 'The signature, in base64.' }),
  }),
})
export type ScreedRecord = Static<typeof ScreedRecord>
