import Type, { type Static } from 'typebox'
import { SENSOR_WEIGHT } from './facts/limits.ts'
import { SENSOR_ID_PATTERN } from './patterns.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'

export const SensorId = Type.String({
  pattern: SENSOR_ID_PATTERN,
  description: 'Colon-separated hexadecimal byte pairs. Upper case is accepted and becomes lower case.',
  examples: ['a4:c1:38:5e:01:02'],
})

export const normaliseSensorId = (id: string): string => id.toLowerCase()

export const Sensor = Type.Object(
  {
    id: Type.String({ description: 'Same form as `sensor_id`.', examples: ['a4:c1:38:5e:01:02'] }),
    temperature: Type.Number({ description: 'Celsius.', examples: [21.4] }),
    humidity: Nullable(
      Type.Number({ description: 'Percent. Null if this kind of sensor does not report it.', examples: [47] }),
    ),
    batt: Nullable(
      Type.Number({
        description: 'Battery in percent. Null if this kind of sensor does not report it.',
        examples: [81],
      }),
    ),
    rssi: Nullable(
      Type.Number({
        description: 'Signal strength in dBm. Null if this kind of sensor does not report it.',
        examples: [-71],
      }),
    ),
    timestamp: Timestamp('Time of the latest measurement.'),
  },
  { description: 'The latest raw reading of the room’s sensor, however old it is.' },
)
export type Sensor = Static<typeof Sensor>

const MOST_OTHER_SENSORS = 7

/** How several sensors become the temperature of one room. */
const SENSOR_USES = ['mean', 'coldest'] as const
export type SensorUse = (typeof SENSOR_USES)[number]

export const OtherSensors = Type.Object(
  {
    use: OneOf(SENSOR_USES, 'The mean of all sensors of the room, by their weights, or the coldest of them.'),
    sensors: Type.Array(
      Type.Object(
        {
          id: SensorId,
          weight: Type.Optional(
            Type.Number({ ...SENSOR_WEIGHT, description: 'In the mean; the first sensor of the room has 1.' }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_OTHER_SENSORS },
    ),
  },
  {
    additionalProperties: false,
    description: 'Sensors that measure the room beside its first one. One that has fallen silent does not count.',
  },
)
export type OtherSensors = Static<typeof OtherSensors>

/** Each sensor once, as it was named last. */
export const normaliseOtherSensors = ({ use, sensors }: OtherSensors): OtherSensors => ({
  use,
  sensors: [...new Map(sensors.map((each) => [normaliseSensorId(each.id), each])).entries()].map(([id, each]) => ({
    ...each,
    id,
  })),
})
