import Type, { type Static } from 'typebox'
import { TABLES, WORD_TYPES } from '../polled/register.ts'
import { closed, Seconds, Text } from './relay-schema.ts'

const NAME = '^[a-z0-9][a-z0-9_-]{0,63}$'
const Name = Type.String({ pattern: NAME })
const Finite = Type.Number({ minimum: -1e12, maximum: 1e12 })

/** Where a value is on a Modbus device, and what its number means. */
export const FileRegister = Type.Object(
  {
    table: Type.Enum([...TABLES]),
    address: Type.Integer({ minimum: 0, maximum: 65_535 }),
    type: Type.Optional(Type.Enum([...WORD_TYPES])),
    words: Type.Optional(Type.Enum(['high_first', 'low_first'])),
    bit: Type.Optional(Type.Integer({ minimum: 0, maximum: 31 })),
    scale: Type.Optional(Finite),
    offset: Type.Optional(Finite),
    none: Type.Optional(Type.Array(Finite, { maxItems: 16 })),
    write: Type.Optional(Type.Object({ min: Finite, max: Finite }, closed)),
  },
  closed,
)
export type FileRegister = Static<typeof FileRegister>

const Registers = Type.Record(Type.String({ pattern: NAME }), FileRegister)

/** A file in `profiles/modbus/`: the values of one kind of device. */
export const RegisterMap = Type.Object({ map: Name, title: Text, values: Registers }, closed)
export type RegisterMap = Static<typeof RegisterMap>

export const FileModbus = Type.Object(
  {
    name: Name,
    address: Text,
    unit: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    map: Type.Optional(Text),
    values: Type.Optional(Registers),
    every_s: Type.Optional(Seconds(1, 3600)),
  },
  closed,
)
export type FileModbus = Static<typeof FileModbus>

const HttpUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2000 })

export const FileHttp = Type.Object(
  {
    name: Name,
    get: Type.Optional(HttpUrl),
    every_s: Type.Optional(Seconds(1, 3600)),
    headers: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Text)),
    ca_file: Type.Optional(Text),
    orders: Type.Optional(
      Type.Record(
        Type.String({ pattern: NAME }),
        Type.Object(
          {
            url: HttpUrl,
            method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH'])),
            body: Type.Optional(Text),
            content_type: Type.Optional(Text),
            min: Type.Optional(Finite),
            max: Type.Optional(Finite),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
)
export type FileHttp = Static<typeof FileHttp>

export const polledFields = {
  modbus: Type.Optional(Type.Array(FileModbus, { maxItems: 16 })),
  http: Type.Optional(Type.Array(FileHttp, { maxItems: 16 })),
}
