import Type, { type Static } from 'typebox'
import { Nullable, Renamed, Timestamp } from './schema.ts'

const Value = (description: string) => Nullable(Type.Number({ description }))

const HistoryPoint = Type.Object({
  at: Timestamp('When the step begins.'),
  time: Renamed(Timestamp(''), 'at'),
  temperature: Value('Celsius, the mean of the readings in this step.'),
  humidity: Value('Percent, the mean of the readings in this step.'),
  dew_point: Value('Celsius, of the mean temperature and humidity in this step.'),
  surface_humidity: Value('Percent, of the air against the coldest surface of the room.'),
  power: Value('Share of the time for which the valve was to be open.'),
  setpoint: Value('Celsius, what the heating control aimed at: the target, or less at night and while away.'),
  outdoor_temperature: Value('Celsius.'),
})

/** A room's past on `/v1`. */
export const History = Type.Object(
  {
    step_s: Type.Integer({ description: 'Seconds between two points: 300 up to two days, more for longer spans.' }),
    points: Type.Array(HistoryPoint),
  },
  {
    description: 'A room’s past in even steps. What is not known is null.',
    examples: [
      {
        step_s: 300,
        points: [
          {
            at: '2026-01-10T08:15:00.000Z',
            time: '2026-01-10T08:15:00.000Z',
            temperature: 21.4,
            humidity: 47,
            dew_point: 9.6,
            surface_humidity: 77,
            power: 0.35,
            setpoint: 22,
            outdoor_temperature: -3.4,
          },
        ],
      },
    ],
  },
)
export type History = Static<typeof History>
