import Type, { type Static } from 'typebox'
import { COMFORTS, HEAT_SOURCES, TARIFF_KINDS } from './facts/energy.ts'
import { EFFICIENCY, HEAT_PUMP_COP, PRICE_PER_KWH, SUPPLY_LIMIT_C } from './facts/limits.ts'
import { AREA_PATTERN, CLOCK_PATTERN } from './patterns.ts'
import { OneOf } from './schema.ts'

const closed = { additionalProperties: false }

export const Comfort = OneOf(
  COMFORTS,
  'comfort_first: held at the setpoint in expensive hours too. balanced: a little below it in expensive hours. saving: the whole comfort band is used at all times. Without prices comfort_first and balanced are the same.',
  'balanced',
)
export type Comfort = Static<typeof Comfort>

const Price = Type.Number({
  ...PRICE_PER_KWH,
  description: 'Of a kWh, in the currency of the building.',
  examples: [0.3],
})

/** What a kWh costs that the heat source consumes. */
export const Tariff = Type.Object(
  {
    kind: OneOf(
      TARIFF_KINDS,
      'fixed: price. times: steps. market: area, with factor and surcharge. gateway: prices that a gateway of the building reports, with factor and surcharge.',
      'times',
    ),
    price: Type.Optional(Price),
    steps: Type.Optional(
      Type.Array(
        Type.Object({ at: Type.String({ pattern: CLOCK_PATTERN, examples: ['22:00'] }), price: Price }, closed),
        {
          minItems: 1,
          maxItems: 48,
          description: 'By local time. The last step of the day before holds until the first.',
        },
      ),
    ),
    area: Type.Optional(
      Type.String({
        pattern: AREA_PATTERN,
        description: 'Of the market, as the price source of the service names it.',
        examples: ['NO1'],
      }),
    ),
    factor: Type.Optional(
      Type.Number({ minimum: 0, maximum: 10, description: 'On the price of the market, for taxes; 1 unless given.' }),
    ),
    surcharge: Type.Optional(
      Type.Number({
        ...PRICE_PER_KWH,
        description: 'Added to each kWh of the market, for grid and fees; 0 unless given.',
      }),
    ),
  },
  closed,
)
export type Tariff = Static<typeof Tariff>

/** What a kind needs and what it may have. */
const FIELDS: Record<Tariff['kind'], { needs?: keyof Tariff; mayHave: (keyof Tariff)[] }> = {
  fixed: { needs: 'price', mayHave: [] },
  times: { needs: 'steps', mayHave: [] },
  market: { needs: 'area', mayHave: ['factor', 'surcharge'] },
  gateway: { mayHave: ['factor', 'surcharge'] },
}

/** What is wrong with a tariff of the right form; null where nothing is. */
export function tariffProblem(tariff: Tariff): string | null {
  const { needs, mayHave } = FIELDS[tariff.kind]
  if (needs && tariff[needs] === undefined) return `tariff.${needs} is missing: the kind ${tariff.kind} needs it`
  const allowed = ['kind', ...(needs ? [needs] : []), ...mayHave]
  const extra = Object.keys(tariff).find((name) => !allowed.includes(name))
  if (extra) return `tariff.${extra} does not belong to the kind ${tariff.kind}`
  const times = tariff.steps?.map(({ at }) => at) ?? []
  const twice = times.find((at, i) => times.indexOf(at) !== i)
  return twice === undefined ? null : `tariff.steps has two prices at ${twice}`
}

const WATER_C = { minimum: SUPPLY_LIMIT_C.minimum, maximum: SUPPLY_LIMIT_C.maximum }

/** What makes the heat of a building. */
export const HeatSource = Type.Object(
  {
    kind: OneOf(HEAT_SOURCES, 'What makes the heat.', 'heat_pump'),
    efficiency: Type.Optional(
      Type.Number({ ...EFFICIENCY, description: 'Heat for each kWh, of all kinds but heat_pump.', examples: [0.95] }),
    ),
    cop: Type.Optional(
      Type.Number({
        ...HEAT_PUMP_COP,
        description: 'Of a heat pump: its coefficient of performance at 2 °C outdoors and water of 35 °C.',
        examples: [3.9],
      }),
    ),
    supply: Type.Optional(
      Type.Object(
        {
          min: Type.Optional(Type.Number({ ...WATER_C, description: 'Celsius; 22 unless given.', examples: [24] })),
          max: Type.Number({ ...WATER_C, description: 'Celsius, as the floor and its pipes allow.', examples: [40] }),
        },
        {
          ...closed,
          description:
            'The rooms decide the supply temperature between these limits, and a gateway asks the source for it. Without it the source follows its own curve.',
        },
      ),
    ),
  },
  closed,
)
export type HeatSource = Static<typeof HeatSource>

export function heatSourceProblem({ kind, efficiency, cop, supply }: HeatSource): string | null {
  if (supply && kind === 'electric') return 'heat_source.supply does not belong to the kind electric: it heats no water'
  if (supply && (supply.min ?? SUPPLY_LIMIT_C.usualMinimum) > supply.max)
    return `heat_source.supply.max must not be below min (${supply.min ?? SUPPLY_LIMIT_C.usualMinimum})`
  if (kind === 'heat_pump' && efficiency !== undefined)
    return 'heat_source.efficiency does not belong to a heat_pump: give cop, its value at 2 °C outdoors and water of 35 °C'
  if (kind !== 'heat_pump' && cop !== undefined)
    return `heat_source.cop belongs to a heat_pump, not to the kind ${kind}`
  return null
}
