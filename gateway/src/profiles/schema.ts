import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 1000 })
const Texts = Type.Union([Text, Type.Array(Text, { minItems: 1 })])
const Unit = Type.Enum(['C', 'F'])
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

export const Scale = Type.Number({ exclusiveMinimum: 0, maximum: 10_000 })
export const Offset = Type.Number({ minimum: -1000, maximum: 1000 })

/** A value in the message: its path, or several of which the first that is there counts. */
const Temperature = Type.Union([
  Text,
  Type.Array(Type.Object({ path: Text, unit: Type.Optional(Unit) }, closed), { minItems: 1 }),
])

/** Holds when the text, or the value at a path, is one of a list or fits an expression, when a field is there, or one whose name fits. */
const Condition = Type.Object(
  {
    of: Type.Optional(Text),
    at: Type.Optional(Text),
    in: Type.Optional(Type.Array(Text)),
    matches: Type.Optional(Type.String({ format: 'regex' })),
    has: Type.Optional(Texts),
    field: Type.Optional(Type.String({ format: 'regex' })),
  },
  closed,
)
export type Condition = Static<typeof Condition>

/** How one kind of message is read. Texts may name levels of the topic and fields of the message: `{model}/{id}`. */
export const SensorRule = Type.Object(
  {
    topic: Texts,
    /** The members of this object or list are sensors of their own; `{key}` is the member's name. */
    each: Type.Optional(Text),
    /** Its values and conditions are of this object, the first that is there; time and signal are of the message around it. */
    within: Type.Optional(Texts),
    when: Type.Optional(Type.Array(Condition)),
    unless: Type.Optional(
      Type.Array(Type.Object({ ...Condition.properties, because: Text }, { additionalProperties: false })),
    ),
    /** The name behind which the sensor stands, refused when it sounds like a chip, a boiler, an outdoor sensor … */
    named: Type.Optional(Text),
    /** What the rules of a family call one device, whatever topics its values have. */
    device: Type.Optional(Text),
    /** Why no temperature of a device with this message is a room's: it reports on a topic of its own what it is. */
    not_a_room: Type.Optional(Text),
    address: Type.Optional(Texts),
    sensor: Type.Optional(Text),
    temperature: Type.Optional(Temperature),
    floor: Type.Optional(Temperature),
    humidity: Type.Optional(Texts),
    battery: Type.Optional(Texts),
    rssi: Type.Optional(Texts),
    time: Type.Optional(Texts),
    /** `{unit}` is the setting of the profile; without a unit a value that no room has is refused. */
    unit: Type.Optional(Type.Union([Unit, Type.Literal('{unit}')])),
    /** A raw temperature is multiplied by `scale`, then `offset` is added. */
    scale: Type.Optional(Scale),
    offset: Type.Optional(Offset),
    /** The field that names the unit of the temperature. */
    unit_at: Type.Optional(Text),
    contact: Type.Optional(Type.Object({ path: Text, open: Scalar, closed: Type.Optional(Scalar) }, closed)),
  },
  closed,
)
export type SensorRule = Static<typeof SensorRule>

const Payload = Type.Union([Text, Type.Number(), Type.Boolean()])

/** A relay or an actuator behind MQTT topics, as a profile or a channel of gateway.yaml describes it. */
export const relayFields = {
  set: Type.Union([
    Type.Object({ topic: Text, on: Payload, off: Payload }, closed),
    Type.Object(
      {
        topic: Text,
        percent: Type.Literal(true),
        path: Type.Optional(Text),
        payload: Type.Optional(Text),
        scale: Type.Optional(Scale),
      },
      closed,
    ),
    Type.Object(
      {
        topic: Text,
        close_topic: Type.Optional(Text),
        open: Payload,
        close: Payload,
        stop: Payload,
        run_s: Type.Number({ minimum: 5, maximum: 1800 }),
      },
      closed,
    ),
  ]),
  state: Type.Optional(
    Type.Object(
      {
        topic: Text,
        path: Type.Optional(Text),
        on: Type.Optional(Payload),
        off: Type.Optional(Payload),
        watts: Type.Optional(Text),
      },
      closed,
    ),
  ),
  online: Type.Optional(
    Type.Object({ topic: Text, path: Type.Optional(Text), on: Payload, off: Type.Optional(Payload) }, closed),
  ),
  auto_off_s: Type.Optional(Type.Union([Type.Literal('none'), Type.Number({ minimum: 60, maximum: 86_400 })])),
}

const RelayProfile = Type.Object(
  { ...relayFields, first_output: Type.Optional(Type.Union([Text, Type.Integer()])) },
  closed,
)

/** A recorded message and what `gateway read --json` prints for it. */
const Example = Type.Object(
  {
    topic: Text,
    payload: Type.Unknown(),
    gives: Type.Record(Type.String(), Type.Unknown()),
  },
  closed,
)

/** A device family as data: how its messages are read, how its relays are switched, and messages to prove it. */
export const Profile = Type.Object(
  {
    profile: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
    title: Text,
    /** Read without being named in gateway.yaml. */
    always: Type.Optional(Type.Boolean()),
    /** What gateway.yaml may change, with its default. */
    parameters: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z_]+$' }), Type.String({ maxLength: 1000 }))),
    /** The decoder in the program that reads this family, for what no mapping can express. */
    decoder: Type.Optional(Type.Enum(['zigbee2mqtt', 'tasmota', 'bthome', 'shelly', 'entities', 'ruuvi'])),
    sensors: Type.Optional(Type.Array(SensorRule)),
    relay: Type.Optional(RelayProfile),
    examples: Type.Array(Example, { minItems: 1 }),
  },
  closed,
)
export type Profile = Static<typeof Profile>
