import Type, { type Static } from 'typebox'
import { SENSOR_ID_PATTERN } from './patterns.ts'
import { Nullable, Timestamp } from './schema.ts'

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
