import { SENSOR_ID_PATTERN } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import { Offset, Scale } from '../profiles/schema.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 1000 })
const Topic = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^+#]+$' })
const TopicPattern = Type.String({ minLength: 1, maxLength: 500 })
const AddressId = Type.String({ pattern: SENSOR_ID_PATTERN })
const Path = Type.String({ minLength: 1, maxLength: 500 })
const Unit = Type.Enum(['C', 'F'])
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

/** An address of hexadecimal pairs, or a name that stands for one on this side. */
export const SensorName = Type.String({ pattern: `(?:${SENSOR_ID_PATTERN})|^[^\\s:/+#][^:/+#]{0,63}$` })

/** Any MQTT topic as a sensor. Without paths the message itself is the value. */
const MqttSensor = Type.Object(
  {
    sensor: SensorName,
    topic: TopicPattern,
    temperature: Type.Optional(Path),
    floor: Type.Optional(Path),
    humidity: Type.Optional(Path),
    battery: Type.Optional(Path),
    rssi: Type.Optional(Path),
    time: Type.Optional(Path),
    unit: Type.Optional(Unit),
    scale: Type.Optional(Scale),
    offset: Type.Optional(Offset),
    /** Only messages whose fields have these values. */
    when: Type.Optional(Type.Record(Path, Type.Union([Scalar, Type.Array(Scalar, { minItems: 1 })]))),
    contact: Type.Optional(
      Type.Object({ path: Type.Optional(Path), open: Scalar, closed: Type.Optional(Scalar) }, closed),
    ),
  },
  closed,
)
export type MqttSensor = Static<typeof MqttSensor>

/** A ready mapping by its name, with what this installation changes of it. */
const ProfileEntry = Type.Object(
  { profile: Text },
  { additionalProperties: Type.String({ minLength: 1, maxLength: 500 }) },
)
export type ProfileEntry = Static<typeof ProfileEntry>

/** The `sensors` section of `gateway.yaml`. */
export const FileSensors = Type.Object(
  {
    collect_s: Type.Optional(Type.Number({ minimum: 0, maximum: 60 })),
    every_s: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
    openmqttgateway: Type.Optional(Type.Object({ base: Topic }, closed)),
    zigbee2mqtt: Type.Optional(Type.Object({ base: Topic }, closed)),
    bthome: Type.Optional(
      Type.Object(
        {
          topics: Type.Optional(Type.Array(TopicPattern)),
          keys: Type.Optional(
            Type.Array(Type.Object({ sensor: AddressId, key: Type.String({ pattern: '^[0-9A-Fa-f]{32}$' }) }, closed)),
          ),
        },
        closed,
      ),
    ),
    tasmota: Type.Optional(Type.Array(Type.Object({ sensor: SensorName, device: Topic, name: Text }, closed))),
    tasmota_full_topic: Type.Optional(Type.String({ pattern: '^(?=.*%prefix%)(?=.*%topic%)[^+#]+$' })),
    esphome: Type.Optional(
      Type.Array(Type.Object({ sensor: SensorName, temperature: Topic, humidity: Type.Optional(Topic) }, closed)),
    ),
    mqtt: Type.Optional(Type.Array(Type.Union([MqttSensor, ProfileEntry]))),
  },
  closed,
)
export type FileSensors = Static<typeof FileSensors>

export const isProfileEntry = (entry: MqttSensor | ProfileEntry): entry is ProfileEntry => 'profile' in entry
