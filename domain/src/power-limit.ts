import Type, { type Static } from 'typebox'
import { LEAST_ENWG_W, LIMIT_BASES, POWER_LIMIT_W } from './facts/energy.ts'
import { Moment } from './outlook.ts'
import { OneOf, Timestamp } from './schema.ts'

const FROM = '2026-01-12T16:00:00.000Z'
const UNTIL = '2026-01-12T18:00:00.000Z'

const limitFields = {
  limit_w: Type.Integer({
    ...POWER_LIMIT_W,
    description: 'What the heat source of the building may take from the grid, in watts.',
    examples: [LEAST_ENWG_W],
  }),
}
const Basis = OneOf(
  LIMIT_BASES,
  `enwg_14a: § 14a of the German energy act, never below ${LEAST_ENWG_W} W. agreed: a contract that allows any limit.`,
  'enwg_14a',
)

export const PowerLimitPut = Type.Object(
  {
    ...limitFields,
    from: Type.Optional(Moment('When it begins; now unless given.', FROM)),
    until: Moment('When it ends: at most two days after it begins.', UNTIL),
    basis: Type.Optional({ ...Basis, default: 'enwg_14a' }),
  },
  {
    additionalProperties: false,
    description: 'The grid limits the power of the heat source for a while.',
    examples: [{ limit_w: LEAST_ENWG_W, from: FROM, until: UNTIL }],
  },
)
export type PowerLimitPut = Static<typeof PowerLimitPut>

export const BuildingPowerLimit = Type.Object(
  {
    ...limitFields,
    from: Timestamp('When it begins, or began.', FROM),
    until: Timestamp('When it ends. Of a contact, until when it counts unless it is reported again.', UNTIL),
    basis: Basis,
    reported_by: OneOf(['interface', 'gateway'], 'How the service knows of it.', 'interface'),
  },
  { description: 'A limit on the power of the heat source, now or to come.' },
)
export type BuildingPowerLimit = Static<typeof BuildingPowerLimit>
