import Type, { type Static } from 'typebox'
import { DRIVER_NAMES } from '../valves/driver.ts'
import { FileSensors, SensorName } from './sensors-schema.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 1000 })
const Topic = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^+#]+$' })
const BrokerUrl = Type.String({ pattern: '^(?:mqtt|mqtts|ws|wss)://' })
const Seconds = (minimum: number, maximum: number) => Type.Number({ minimum, maximum })

const relay = {
  driver: Type.Enum([...DRIVER_NAMES]),
  topic: Topic,
  output: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 256 }), Text])),
}

export const FileChannel = Type.Object(
  {
    channel: Type.Integer({ minimum: 1, maximum: 256 }),
    name: Type.Optional(Text),
    ...relay,
    normally: Type.Optional(Type.Enum(['closed', 'open'])),
    heat: Type.Optional(Type.Enum(['hydronic', 'electric'])),
    floor_probe: Type.Optional(
      Type.Object({ sensor: SensorName, max_c: Type.Optional(Type.Number({ minimum: 20, maximum: 45 })) }, closed),
    ),
  },
  closed,
)
export type FileChannel = Static<typeof FileChannel>

/** `gateway.yaml` as a person writes it. */
export const GatewayFile = Type.Object(
  {
    service: Type.Optional(
      Type.Object(
        {
          url: BrokerUrl,
          gateway_id: Text,
          token: Type.Optional(Text),
          token_file: Type.Optional(Text),
          ca_file: Type.Optional(Text),
        },
        closed,
      ),
    ),
    devices: Type.Object(
      {
        url: BrokerUrl,
        username: Type.Optional(Text),
        password: Type.Optional(Text),
        password_file: Type.Optional(Text),
        ca_file: Type.Optional(Text),
      },
      closed,
    ),
    data: Type.Optional(Text),
    buffer_mb: Type.Optional(Type.Number({ minimum: 1, maximum: 100_000 })),
    sensors: Type.Optional(FileSensors),
    auto_off_s: Type.Optional(Seconds(300, 6000)),
    channels: Type.Array(FileChannel, { maxItems: 256 }),
    demand: Type.Optional(
      Type.Object(
        { ...relay, lead_s: Type.Optional(Seconds(0, 1800)), lag_s: Type.Optional(Seconds(0, 1800)) },
        closed,
      ),
    ),
  },
  closed,
)
export type GatewayFile = Static<typeof GatewayFile>
