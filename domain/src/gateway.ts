import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { CoverOrder, CoverReport, MOST_COVERS } from './covers.ts'
import { LIMIT_BASES, METER_KINDS, POWER_LIMIT_W } from './facts/energy.ts'
import { HOT_WATER_ORDERS } from './facts/hot-water.ts'
import { SENSOR_ID_PATTERN } from './patterns.ts'

/** A gateway's topics, and what may be said on them: the one place both ends read it from. */
export const TOPIC_ROOT = 'hypocaust/v1'

export const upTopic = (gatewayId: string, name: keyof typeof UP) => `${TOPIC_ROOT}/${gatewayId}/up/${name}`
export const downTopic = (gatewayId: string, name: keyof typeof DOWN) => `${TOPIC_ROOT}/${gatewayId}/down/${name}`

/** Without NUL or half of a surrogate pair: PostgreSQL stores neither, and messages are stored many at a time. */
const WireText = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000\\ud800-\\udfff]*$' })
const Boot = WireText(1, 64)
const WireTime = Type.String({ minLength: 1, maxLength: 40 })
const Counter = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Channel = Type.Integer({ minimum: 1, maximum: 256 })
const Fraction = Type.Number({ minimum: 0, maximum: 1 })
const Seconds = Type.Number({ minimum: 0, maximum: 31_536_000 })
const OrNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

export const MIN_PLAUSIBLE_C = -40
export const MAX_PLAUSIBLE_C = 85

export const GatewayReading = Type.Object({
  id: Type.String({ pattern: SENSOR_ID_PATTERN }),
  temperature: Type.Number({ minimum: MIN_PLAUSIBLE_C, maximum: MAX_PLAUSIBLE_C }),
  humidity: OrNull(Type.Number({ minimum: 0, maximum: 100 })),
  batt: OrNull(Type.Number({ minimum: 0, maximum: 100 })),
  rssi: OrNull(Type.Number({ minimum: -200, maximum: 100 })),
  timestamp: WireTime,
})
export type GatewayReading = Static<typeof GatewayReading>

/** A window or door contact: it goes up with the readings and has no temperature. */
export const ContactReading = Type.Object({
  id: Type.String({ pattern: SENSOR_ID_PATTERN }),
  contact: Type.Enum(['open', 'closed']),
  batt: OrNull(Type.Number({ minimum: 0, maximum: 100 })),
  rssi: OrNull(Type.Number({ minimum: -200, maximum: 100 })),
  timestamp: WireTime,
})
export type ContactReading = Static<typeof ContactReading> & { temperature?: never; humidity?: never }

export const GatewayStatus = Type.Object({
  state: Type.Enum(['online', 'offline']),
  boot: Boot,
  version: Type.Optional(WireText(0, 64)),
  channels: Type.Optional(Type.Integer({ minimum: 0, maximum: 256 })),
  config_revision: OrNull(Counter),
  /** Whether it leaves alone the channels that its configuration names as watched. */
  watches: Type.Optional(Type.Boolean()),
  /** Whether it connects to another broker when it is told to. */
  moves: Type.Optional(Type.Boolean()),
  /** Whether this agent works the outputs, or leaves them to another agent of the same gateway. */
  agent: Type.Optional(Type.Enum(['drives', 'stands_by'])),
  /** The machine on which it runs. */
  host: Type.Optional(WireText(0, 253)),
})
export type GatewayStatus = Static<typeof GatewayStatus>

export const Heartbeat = Type.Object({
  boot: Boot,
  timestamp: Type.Optional(WireTime),
  uptime_s: Type.Optional(Type.Number({ minimum: 0 })),
  buffered: Type.Optional(Counter),
  clock_ok: Type.Optional(Type.Boolean()),
})
export type Heartbeat = Static<typeof Heartbeat>

/** The envelope alone: readings are judged one by one, so that a bad one never stops the others. */
export const ReadingsEnvelope = Type.Object({
  boot: Boot,
  n: Counter,
  backfill: Type.Optional(Type.Boolean()),
  readings: Type.Optional(Type.Array(Type.Unknown())),
})
export type ReadingsEnvelope = Static<typeof ReadingsEnvelope>

export type Readings = Omit<ReadingsEnvelope, 'readings'> & { readings: (GatewayReading | ContactReading)[] }

export const Commit = Type.Object({ boot: Boot, n: Counter })
export type Commit = Static<typeof Commit>

/** At a time, of one channel. */
export const MOST_LIMITS = 16

export const PowerCommand = Type.Object({
  epoch: Counter,
  seq: Counter,
  issued: WireTime,
  valid_s: Seconds,
  /** The source cools: a loop is opened only while its room, its floor and the water are above the dew point. */
  cools: Type.Optional(Type.Boolean()),
  /** The trace that the command is part of, where the service records it. Whatever it is, it costs no command. */
  traceparent: Type.Optional(Type.Unknown()),
  valves: Type.Array(
    Type.Object({
      channel: Channel,
      power: Fraction,
      window_s: Type.Number({ minimum: 60, maximum: 86_400 }),
      /** How far the room is below the upper edge of its comfort band; left out for a room that is off. */
      headroom_k: OrNull(Type.Number({ minimum: -100, maximum: 100 })),
      /**
       * While the grid limits the heat source the channel gets at most this by the fallback, and by a command that was
       * given before the limit began; seconds from `issued`.
       */
      limits: Type.Optional(
        Type.Array(Type.Object({ from_s: Type.Number(), until_s: Type.Number(), power: Fraction }), {
          maxItems: MOST_LIMITS,
        }),
      ),
    }),
  ),
})
export type PowerCommand = Static<typeof PowerCommand>

export const Ack = Type.Object({
  epoch: Counter,
  seq: Counter,
  result: Type.Enum(['accepted', 'stale', 'expired', 'rejected']),
  why: Type.Optional(WireText(0, 500)),
  /** As the command had it, with the time from its arrival to this answer. */
  traceparent: Type.Optional(Type.Unknown()),
  took_ms: Type.Optional(Type.Unknown()),
})
export type Ack = Static<typeof Ack>

export const WindowReport = Type.Object({
  channel: Channel,
  seq: OrNull(Counter),
  start: WireTime,
  window_s: Type.Number({ minimum: 0, maximum: 86_400 }),
  open_s: Type.Number({ minimum: 0, maximum: 86_400 }),
  /** `watched`: another thermostat worked the valve, and this is what its relay reported. */
  source: Type.Enum(['command', 'fallback', 'exercise', 'watched']),
})
export type WindowReport = Static<typeof WindowReport>

/** Why a water loop stays shut while the source cools: too near the dew point, or not known how near. */
export const SHUT_TO_COOLING = ['dew_point', 'humidity_unknown', 'supply_unknown'] as const
/** Why a channel stays off whatever is commanded. */
export const HELD_OFF = ['auto_off_unproven', 'no_floor_probe', 'floor_limit', ...SHUT_TO_COOLING] as const
export type HeldOff = (typeof HELD_OFF)[number]

/** What the gateway knows of its relays: whether each follows its commands, and closes by itself. */
export const RelayReport = Type.Object({
  /** Whether this agent works the relays; false while another agent of the same identity does. */
  drives: Type.Optional(Type.Boolean()),
  /** The machine on which another agent of this identity runs. */
  other_agent: OrNull(Type.String({ maxLength: 253 })),
  channels: Type.Array(
    Type.Object({
      channel: Channel,
      state: Type.Enum(['ok', 'silent', 'contradicts']),
      auto_off: Type.Enum(['proven', 'unproven', 'none']),
      /** What a relay that contradicts reports. */
      stuck: OrNull(Type.Enum(['open', 'closed'])),
      held: OrNull(Type.Enum([...HELD_OFF])),
      /** How often it has stopped answering or begun to contradict since the gateway started. */
      faults: Type.Optional(Counter),
    }),
    { maxItems: 256 },
  ),
})
export type RelayReport = Static<typeof RelayReport>

/** A counter that only rises until its meter is replaced or starts again from zero. */
export const MeterReading = Type.Object({
  kind: Type.Enum([...METER_KINDS]),
  kwh: Type.Number({ minimum: 0, maximum: 1e9 }),
  timestamp: WireTime,
})
export type MeterReading = Static<typeof MeterReading>

const SG_READY = ['locked', 'normal', 'recommended', 'forced'] as const
export type SgReady = (typeof SG_READY)[number]
const SG_READY_OUT = ['locked', 'normal', 'recommended'] as const
export type SgReadyOut = (typeof SG_READY_OUT)[number]

/** Values of equal steps: the first holds from `start` on. */
export const Series = Type.Object({
  start: WireTime,
  step_s: Type.Union([Type.Literal(900), Type.Literal(1800), Type.Literal(3600)]),
  values: Type.Array(Type.Number({ minimum: -1e6, maximum: 1e6 }), { minItems: 1, maxItems: 400 }),
})
export type Series = Static<typeof Series>

/** Loops through which water flows, and their floor. */
const heatRequest = {
  loops: Type.Integer({ minimum: 0, maximum: 256 }),
  area_m2: Type.Number({ minimum: 0 }),
  /** One of them may freeze: the source runs with fewer open loops than it asks for. */
  frost: Type.Optional(Type.Boolean()),
}
export const HeatRequest = Type.Object(heatRequest)
export type HeatRequest = Static<typeof HeatRequest>

const CircuitChannels = Type.Array(Channel, { minItems: 1, maxItems: 256 })

/** Loops behind a mixer of their own: the limits of its water, and what the gateway asks the mixer for. */
const SourceCircuit = Type.Object({
  channels: CircuitChannels,
  min_c: Type.Number({ minimum: 0, maximum: 100 }),
  max_c: Type.Number({ minimum: 0, maximum: 100 }),
  supply_set_c: OrNull(Type.Number({ minimum: 0, maximum: 100 })),
})
export type SourceCircuit = Static<typeof SourceCircuit>

/** What the gateway knows of the heat source. While it is locked, no water flows. */
export const SourceReport = Type.Object({
  lock: OrNull(Type.Enum(['hot_water', 'flow_temperature'])),
  /** Heating time lost to the present lock, or to the last one. */
  lost_s: Type.Optional(Seconds),
  /** Whether it has a relay for the heat request of boiler or heat pump. */
  boiler: Type.Optional(Type.Boolean()),
  /** What its loops ask of the heat source. */
  heat_request: Type.Optional(HeatRequest),
  supply_c: OrNull(Type.Number({ minimum: -50, maximum: 150 })),
  /** What the gateway asks the source for; null where it asks for nothing. */
  supply_set_c: OrNull(Type.Number({ minimum: 0, maximum: 100 })),
  circuits: Type.Optional(Type.Array(SourceCircuit, { maxItems: 256 })),
  /** The two contacts of SG-Ready. */
  sg_ready: OrNull(Type.Enum([...SG_READY])),
  /** Whether it has the two relays of SG-Ready on the heat pump. */
  sg_ready_out: Type.Optional(Type.Boolean()),
  /** What the grid leaves the heat source; without times: now, for as long as it is reported. */
  power_limit: OrNull(
    Type.Object({
      limit_w: Type.Number(POWER_LIMIT_W),
      basis: Type.Enum([...LIMIT_BASES]),
      from: OrNull(WireTime),
      until: OrNull(WireTime),
    }),
  ),
  /** Own electricity that would go to the grid. */
  surplus_w: OrNull(Type.Number({ minimum: 0, maximum: 1_000_000 })),
  /** The same ahead, in W, as another program forecasts it. */
  surplus_forecast: OrNull(Series),
  /** Of a kWh, as another program publishes them. */
  prices: OrNull(Series),
  /** Present where the gateway can cool. */
  cooling: Type.Optional(
    Type.Object({
      /** Whether the source or a changeover contact reports that it cools; null where neither is configured or heard. */
      reported: OrNull(Type.Boolean()),
      /** As `supply_c`, to half a degree. */
      supply_c: OrNull(Type.Number({ minimum: -50, maximum: 150 })),
      /** A contact has reported water on a pipe. */
      dew_contact: Type.Boolean(),
    }),
  ),
  /** Present where the gateway knows more of hot water than whether it is made. */
  hot_water: Type.Optional(
    Type.Object({
      /** To half a degree. */
      tank_c: OrNull(Type.Number({ minimum: -50, maximum: 150 })),
      /** Whether the source makes hot water, as it reports; null where it does not. */
      busy: OrNull(Type.Boolean()),
      /** What the gateway can ask the source for. */
      can: Type.Array(Type.Enum([...HOT_WATER_ORDERS]), { maxItems: HOT_WATER_ORDERS.length }),
      /** What it asks the source for now. */
      asked: OrNull(Type.Enum([...HOT_WATER_ORDERS])),
    }),
  ),
  /** Present where the gateway can move covers: it alone is ordered to. */
  covers: Type.Optional(Type.Array(CoverReport, { maxItems: MOST_COVERS })),
  /** Counters of the heat source, each with the gateway's time of the reading. */
  meters: Type.Optional(Type.Array(MeterReading, { maxItems: METER_KINDS.length })),
})
export type SourceReport = Static<typeof SourceReport>

/** What the heat source is to be asked for. Numbered as the command it goes along with. */
export const SourceCommand = Type.Object({
  epoch: Counter,
  seq: Counter,
  issued: WireTime,
  valid_s: Seconds,
  supply_c: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  /** For loops behind a mixer of their own, each named by all its channels; others get the water of the source. */
  circuits: Type.Optional(
    Type.Array(Type.Object({ channels: CircuitChannels, supply_c: Type.Number({ minimum: 0, maximum: 100 }) }), {
      maxItems: 256,
    }),
  ),
  /** For the two relays of SG-Ready; nothing ever forces the heat pump on. */
  sg_ready: Type.Optional(Type.Enum([...SG_READY_OUT])),
  /** The water asked for is to cool. */
  cools: Type.Optional(Type.Boolean()),
  /** What the source is to do with the tank; none: as its own control decides. */
  hot_water: Type.Optional(Type.Enum(['none', ...HOT_WATER_ORDERS])),
  /** Covers to be moved against the sun; one that is not named is not needed any more. */
  covers: Type.Optional(Type.Array(CoverOrder, { maxItems: MOST_COVERS })),
  /** What the other gateways of the building ask of the heat source, for the one that works its relay. */
  demand: Type.Optional(
    Type.Array(Type.Object({ gateway: Type.String({ maxLength: 64 }), ...heatRequest }), { maxItems: 256 }),
  ),
})
export type SourceCommand = Static<typeof SourceCommand>

export const GatewayConfig = Type.Object({
  revision: Counter,
  fallback: Type.Object({
    after_s: Type.Number({ minimum: 60, maximum: 604_800 }),
    power: Type.Record(Type.String({ pattern: '^[1-9][0-9]{0,2}$' }), Fraction),
    /** The warmest water that the source is asked for then, as while a new screed is heated up. */
    supply_most_c: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  }),
  min_open_s: Seconds,
  exercise_days: Type.Number({ minimum: 0, maximum: 365 }),
  /** Whether a reading below 5 °C opens a loop, whatever is commanded; it does unless this is false. */
  frost_protection: Type.Optional(Type.Boolean()),
  /** The sensors of the room of each channel. */
  sensors: Type.Optional(
    Type.Record(Type.String({ pattern: '^[1-9][0-9]{0,2}$' }), Type.Array(Type.String({ pattern: SENSOR_ID_PATTERN }))),
  ),
  /** The source cools, as far as no command says otherwise. */
  cools: Type.Optional(Type.Boolean()),
  /** Of several gateways of a building the one that works the relay of the heat source. */
  source_owner: Type.Optional(Type.String({ maxLength: 64 })),
  /** The boot of the agent that works the outputs, where several agents have run as this gateway. */
  agent: Type.Optional(Boot),
  /** Channels that another thermostat works: their relays are never commanded, only listened to. */
  watched: Type.Optional(Type.Array(Channel, { maxItems: 256 })),
})
export type GatewayConfig = Static<typeof GatewayConfig>

export const MOST_FILE_CHARACTERS = 65_536
/** The agent's own file without secrets, kept by the service for the box that replaces it. */
export const GatewayFileCopy = Type.Object({ text: WireText(1, MOST_FILE_CHARACTERS) })
export type GatewayFileCopy = Static<typeof GatewayFileCopy>

/** The building is on another service: its gateways are to connect to this broker, with the same id and token. */
export const GatewayMove = Type.Object({ url: Type.String({ pattern: '^(mqtts?|wss?)://[^\\s@]+$', maxLength: 2000 }) })
export type GatewayMove = Static<typeof GatewayMove>

export const UP = {
  status: GatewayStatus,
  heartbeat: Heartbeat,
  readings: ReadingsEnvelope,
  ack: Ack,
  window: WindowReport,
  relays: RelayReport,
  source: SourceReport,
  file: GatewayFileCopy,
} as const

export const DOWN = {
  commit: Commit,
  power: PowerCommand,
  config: GatewayConfig,
  source: SourceCommand,
  move: GatewayMove,
} as const

const compiled = new Map<TSchema, { Check(value: unknown): boolean }>()

export type Parsed<T> = { ok: true; value: T } | { ok: false; why: string }

/** A payload from the wire, believed only after the schema agreed. */
export function parsePayload<S extends TSchema>(schema: S, payload: Uint8Array): Parsed<Static<S>> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return { ok: false, why: 'not JSON' }
  }
  return matches(schema, value) ? { ok: true, value } : { ok: false, why: 'not of the form agreed' }
}

export function matches<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  let check = compiled.get(schema)
  if (!check) {
    check = Compile(schema)
    compiled.set(schema, check)
  }
  return check.Check(value)
}
