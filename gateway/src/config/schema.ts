import Type, { type Static } from 'typebox'
import { FileCovers } from './covers.ts'
import { polledFields } from './polled-schema.ts'
import { closed, relay, Seconds, Text } from './relay-schema.ts'
import { FileSensors, SensorName } from './sensors-schema.ts'
import { actuatorFields, sourceFields } from './source-schema.ts'

const BrokerUrl = Type.String({ pattern: '^(?:mqtt|mqtts|ws|wss)://' })

const ListenAddress = Type.String({ pattern: '^(?:\\[[0-9A-Fa-f:]+\\]|[^:\\s]+):\\d{1,5}$' })

export const FileChannel = Type.Object(
  {
    channel: Type.Integer({ minimum: 1, maximum: 256 }),
    name: Type.Optional(Text),
    ...relay,
    ...actuatorFields,
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
    covers: Type.Optional(FileCovers),
    page: Type.Optional(Type.Object({ listen: Type.Optional(ListenAddress) }, closed)),
    ...sourceFields,
    ...polledFields,
  },
  closed,
)
export type GatewayFile = Static<typeof GatewayFile>
