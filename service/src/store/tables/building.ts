import type { ActorKind, CalendarProblem, Comfort, MeterKind, Role } from '@hypocaust/domain'
import type { Generated } from 'kysely'
import type { Bit, FixedAtInsert } from './columns.ts'

export interface BuildingTable {
  id: FixedAtInsert<string>
  /** One of its owners: the one whose quota it counts towards and whose house file it is. */
  accountId: string
  key: string
  name: string
  lat: number
  lng: number
  timezone: string
  createdAt: FixedAtInsert<number>
  /** When settings or structure last changed, by whichever process. */
  revisedAt: Generated<number>
  /** The recorded trace of that change, as a traceparent; null where it was not traced. */
  revisedTrace: string | null
  /** The last revision that the control has followed. */
  followedRevision: Generated<number>
  /** Rises whenever a reading or a power of its rooms does; see house/revisions.ts. */
  liveRevision: Generated<number>
  frostProtection: Generated<Bit>
  /** As JSON; see house/buildings/tags.ts. */
  tags: string | null
  /** Ids of its rooms as JSON, in the order in which its pages show them; null: as in the house file. */
  roomOrder: string | null
  /** How firmly rooms are held at their setpoint. */
  comfort: Generated<Comfort>
  /** kWh of all rooms, also of those that were removed; never falls, null until one was counted. */
  heatCounterKwh: number | null
  /** What a kWh costs, and what makes the heat: JSON, see domain/src/energy.ts. */
  tariff: string | null
  heatSource: string | null
  /** Season and changeover as people set them, and what the control last found: JSON, see house/cooling/settings.ts. */
  cooling: string | null
  coolingState: string | null
  /** The tank as people set it, and what the control last knew and planned of it: JSON, see house/hot-water/settings.ts. */
  hotWater: string | null
  hotWaterState: string | null
  /** Which covers are to be down against the sun now, as last decided: JSON, see house/covers/orders.ts. */
  coverOrders: string | null
  /** What the heat source has been learned to be, as JSON; see house/heat/learned-source.ts. */
  learnedSource: string | null
  /** The water that the rooms need, as last decided: JSON, see control/src/decide/supply.ts. */
  supplySetpoint: string | null
  /** Until when plans store cheap heat, as last decided; null where none does. */
  recommendedUntil: number | null
  /** A limit of the grid on the heat source, and what the limits leave each room: JSON, see house/source/power-limit.ts. */
  powerLimit: string | null
  gridShares: string | null
  /** Nobody is in between the two, and the rooms may cool to `awayC`; set at a time, for these rooms as JSON or for all. */
  awayFrom: number | null
  awayUntil: number | null
  awayC: number | null
  awaySetAt: number | null
  awayRooms: string | null
  /** Who is home as last reported, and what follows when nobody is: JSON, see house/buildings/presence.ts. */
  presence: string | null
  presenceRule: string | null
  /** What its calendars ask of its rooms: JSON, see house/calendars/wishes.ts. */
  calendarWishes: string | null
  controlledAt: Generated<number>
  /** When a setpoint of its rooms next changes by itself, at most a day ahead; 0 where that is to be worked out. */
  setpointsChangeAt: Generated<number>
  alertsCheckedAt: Generated<number>
  /** A test of its loops as JSON (house/loop-run/run.ts), and when to look after it next. */
  loopRun: string | null
  loopRunDueAt: number | null
}

/** Who changed what, from what to what. Values are JSON arrays of columns (house/change-log/settings.ts). */
export interface ChangeLogTable {
  buildingId: FixedAtInsert<string>
  /** Rises within a building. */
  sequence: FixedAtInsert<number>
  changedAt: FixedAtInsert<number>
  actorKind: FixedAtInsert<ActorKind>
  /** This and the subject change only when the account of the person is removed. */
  actorName: string
  actorRole: FixedAtInsert<Role | null>
  actorAccountId: string | null
  roomId: FixedAtInsert<string | null>
  /** Of the room, building, gateway, account, key or contact, and its name at that time. */
  subjectId: string
  subject: string
  field: FixedAtInsert<string>
  oldValue: FixedAtInsert<string | null>
  newValue: FixedAtInsert<string | null>
}

export interface WeatherTable {
  buildingId: FixedAtInsert<string>
  updatedAt: number
  temperatureC: number
  cloudPct: number
  windDeg: number
  windMs: number
}

export interface ForecastTable {
  place: FixedAtInsert<string>
  updatedAt: number
  dueAt: number
  lastModified: string | null
  forecast: string | null
}

export interface MarketPriceTable {
  area: FixedAtInsert<string>
  /** When it is worth asking again. */
  dueAt: number
  /** `KnownPrices` as JSON; null before any has arrived. */
  prices: string | null
}

/** The last counter of each hour; of older days only the last one. */
export interface MeterReadingTable {
  gatewayId: FixedAtInsert<string>
  kind: FixedAtInsert<MeterKind>
  hourAt: FixedAtInsert<number>
  readAt: number
  kwh: number
}

export interface CalendarTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  name: string
  /** A secret: it may contain a token. Null: a file that was uploaded. */
  address: string | null
  /** What follows from its events, as JSON. */
  rules: string
  /** Rises whenever a person changes it: what was read for the one before does not count. */
  version: Generated<number>
  /** The feed as far as it is needed, and its events as JSON; see house/calendars/occurrences.ts. */
  content: string | null
  occurrences: string | null
  etag: string | null
  lastModified: string | null
  /** The last attempt; the last time at which the events were worked out; the next attempt. */
  checkedAt: number | null
  readAt: number | null
  dueAt: number
  /** Attempts that failed since the last that did not, and why. */
  failures: Generated<number>
  problem: CalendarProblem | null
}

/** Entries are only ever added (house/screed/record.ts). */
export interface ScreedRecordTable {
  buildingId: FixedAtInsert<string>
  runId: FixedAtInsert<string>
  n: FixedAtInsert<number>
  text: FixedAtInsert<string>
  hash: FixedAtInsert<string>
}

/** What a power limit was expected to bring, and what it brought; see house/flexibility/record.ts. */
export interface LimitRecordTable {
  buildingId: FixedAtInsert<string>
  promisedAt: FixedAtInsert<number>
  fromAt: FixedAtInsert<number>
  untilAt: FixedAtInsert<number>
  limitW: FixedAtInsert<number>
  /** The rooms that it is about, as JSON. */
  roomIds: FixedAtInsert<string>
  plannedKwh: FixedAtInsert<number>
  promisedKwh: FixedAtInsert<number>
  /** By what the models' energy was multiplied, so that it is what the meters count. */
  scale: FixedAtInsert<number>
  withdrawn: Bit
  /** When what was taken is to be counted; null once it has been, or is not to be. */
  dueAt: number | null
  takenKwh: number | null
  meteredKwh: number | null
}

export interface MatterBridgeTable {
  buildingId: FixedAtInsert<string>
  manualCode: string
  qrPayload: string
  controllers: number
  seenAt: number
}

/** A building that moves between databases, or has left (ADR 48). */
export interface BuildingMoveTable {
  buildingId: FixedAtInsert<string>
  /** `arriving`: a copy that nobody sees yet; `leaving`: nothing is written any more; `left`: the other one has it, and
   * what is here is to be deleted; `moved`: nothing is here any more. */
  stage: 'arriving' | 'leaving' | 'left' | 'moved'
  /** Where API clients and gateways find it after it has left; a gateway stays at its broker where none is named. */
  url: string | null
  brokerUrl: string | null
  since: number
  /** When its gateways were told. */
  announcedAt: number | null
}

/** Who was a member of a building that has left. */
export interface MovedMemberTable {
  accountId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  endsAt: number | null
}

/** Which app was granted a building that has left. */
export interface MovedGrantTable {
  keyId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
}

/** May still sign in, to be told where its building is. */
export interface MovedGatewayTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  tokenHash: FixedAtInsert<string>
  mqttHash: FixedAtInsert<string | null>
}
