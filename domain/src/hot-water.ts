import Type, { type Static } from 'typebox'
import {
  ABOVE_TAP_K,
  DISINFECTION_C,
  HOT_WATER_C,
  HOT_WATER_NOTICES,
  HOT_WATER_ORDERS,
  HOT_WATER_PROBLEMS,
  type HotWaterNotice,
  LARGE_TANK_L,
  LEAST_ALONE_C,
  leastTank,
  PEOPLE,
  SAFE_C,
  TANK_L,
  TAP_C,
} from './facts/hot-water.ts'
import { WEEKDAYS } from './facts/programme.ts'
import { CLOCK_PATTERN } from './patterns.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'

const closed = { additionalProperties: false }
const Clock = (example: string) =>
  Type.String({ pattern: CLOCK_PATTERN, description: 'Local time as HH:MM.', examples: [example] })
const limitsOf = ({ minimum, maximum }: { minimum: number; maximum: number }) => ({ minimum, maximum })

const HotTime = Type.Object(
  {
    days: Type.Array(OneOf(WEEKDAYS, 'A day of the week.'), { minItems: 1, maxItems: 7, uniqueItems: true }),
    from: Clock('06:00'),
    to: Clock('09:00'),
  },
  { ...closed, description: 'From a time to another; over midnight where the second is earlier.' },
)

export const HotWaterSettings = Type.Object(
  {
    volume_l: Type.Number({ ...TANK_L, description: 'Litres in the tank.', examples: [250] }),
    temperature: Type.Number({
      ...limitsOf(HOT_WATER_C),
      description: `Celsius to which the source heats the tank. Below ${LEAST_ALONE_C} only with disinfection.`,
      examples: [HOT_WATER_C.usual],
    }),
    tap_temperature: Type.Number({
      ...limitsOf(TAP_C),
      description: 'The least, in Celsius, that the tank has at the times at which water is to be hot.',
      examples: [TAP_C.usual],
    }),
    people: Type.Integer({
      ...limitsOf(PEOPLE),
      description: 'How many people use it, for the first days.',
      examples: [PEOPLE.usual],
    }),
    times: Type.Array(HotTime, { maxItems: 21, description: 'When water is to be hot; none: always.' }),
    disinfection: Nullable(
      Type.Number({
        ...DISINFECTION_C,
        description: 'Celsius to which the tank is heated once a week against legionella; null: never.',
        examples: [62],
      }),
    ),
  },
  { ...closed, description: 'A tank of hot water that the heat source of the building heats.' },
)
export type HotWaterSettings = Static<typeof HotWaterSettings>

const example: HotWaterSettings = {
  volume_l: 250,
  temperature: HOT_WATER_C.usual,
  tap_temperature: TAP_C.usual,
  people: PEOPLE.usual,
  times: [{ days: [...WEEKDAYS], from: '06:00', to: '22:00' }],
  disinfection: 62,
}

export const HotWaterPut = Type.Object(
  { settings: Nullable(HotWaterSettings) },
  { ...closed, description: 'Null: the control leaves hot water alone.', examples: [{ settings: example }] },
)
export type HotWaterPut = Static<typeof HotWaterPut>

const FROM = '2026-01-12T03:00:00.000Z'
const Charge = Type.Object(
  {
    kind: OneOf(HOT_WATER_ORDERS, 'What the source is asked for.'),
    from: Timestamp('When it begins, or began.', FROM),
    until: Timestamp('When it is expected to end.', '2026-01-12T03:40:00.000Z'),
    temperature: Type.Number({ description: 'Celsius to which the tank is heated.', examples: [53] }),
  },
  { description: 'The next charge, or the one that runs.' },
)

export const HotWaterNow = Type.Object(
  {
    temperature: Type.Number({ description: 'Celsius of the tank.', examples: [48.5] }),
    measured_at: Nullable(Timestamp('When it was measured; null where it is only expected.', FROM)),
    heating: Type.Boolean({ description: 'Whether the source makes hot water.', examples: [false] }),
    asked: Type.Boolean({ description: 'Whether it does so by an order of the service.', examples: [false] }),
    next: Nullable(Charge),
    disinfected_at: Nullable(
      Timestamp('When the tank was last disinfected, without a sensor as expected; null: not yet.', FROM),
    ),
    problems: Type.Array(OneOf(HOT_WATER_PROBLEMS, 'What is wrong.')),
  },
  { description: 'What is known of the tank, and what it is to do; null until the control has looked at it.' },
)
export type HotWaterNow = Static<typeof HotWaterNow>

const now: HotWaterNow = {
  ...{ temperature: 48.5, measured_at: FROM, heating: false, asked: false, next: null, disinfected_at: null },
  problems: [],
}

export const BuildingHotWater = Type.Object(
  {
    settings: Nullable(HotWaterSettings),
    state: Nullable(HotWaterNow),
    notices: Type.Array(OneOf(HOT_WATER_NOTICES, 'A reason to look at settings or gateway again.')),
  },
  {
    description:
      'Hot water of a building. Notices: legionella: below 60 °C without disinfection. disinfection_unproven: no sensor shows whether the tank is disinfected. scalding: water above 60 °C needs a mixing valve. not_asked: no gateway can ask the source. no_sensor: no gateway measures the tank.',
    examples: [{ settings: example, state: now, notices: [] }],
  },
)
export type BuildingHotWater = Static<typeof BuildingHotWater>

const WHY = {
  tap: `it must be at least ${ABOVE_TAP_K} above tap_temperature`,
  legionella: 'legionella grow in colder tanks that are never disinfected',
  large: `legionella: a tank of more than ${LARGE_TANK_L} litres is held at ${SAFE_C}`,
}

/** What the form alone does not show: no setting that lets legionella grow is taken. */
export function hotWaterProblem(settings: HotWaterSettings): string | null {
  const { leastC, why } = leastTank(settings)
  if (settings.temperature < leastC) return `temperature must be at least ${leastC}: ${WHY[why]}`
  return settings.times.some(({ from, to }) => from === to) ? 'times: from and to must differ' : null
}

/** What is taken, but not in silence. */
export function hotWaterNotices(
  { temperature, disinfection }: HotWaterSettings,
  seen: { isMeasured: boolean; isAsked: boolean },
): HotWaterNotice[] {
  const notices: [HotWaterNotice, boolean][] = [
    ['legionella', temperature < SAFE_C && disinfection === null],
    ['disinfection_unproven', disinfection !== null && !seen.isMeasured],
    ['scalding', Math.max(temperature, disinfection ?? 0) > SAFE_C],
    ['not_asked', !seen.isAsked],
    ['no_sensor', !seen.isMeasured],
  ]
  return notices.flatMap(([notice, holds]) => (holds ? [notice] : []))
}
