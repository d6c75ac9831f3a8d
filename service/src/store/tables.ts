import type {
  ActorKind,
  CalendarProblem,
  Comfort,
  Feeling,
  FloorType,
  GatewayStatus,
  Language,
  MeterKind,
  NightMode,
  OperatorAct,
  Permission,
  PresetMode,
  Programme,
  Role,
  RoomIcon,
  WindowReport,
} from '@hypocaust/domain'
import type { ColumnType, Generated } from 'kysely'

/** The database's tables in the code's own words; columns are snake_case on disk, times are epoch milliseconds. */
export interface Tables {
  user: UserTable
  buildings: BuildingTable
  members: MemberTable
  invitations: InvitationTable
  changeLog: ChangeLogTable
  weather: WeatherTable
  gateways: GatewayTable
  sensors: SensorTable
  rooms: RoomTable
  valves: ValveTable
  apiKeys: ApiKeyTable
  meta: MetaTable
  pairingCodes: PairingCodeTable
  gatewayMessages: GatewayMessageTable
  valveWindows: ValveWindowTable
  readings: ReadingTable
  readingsFiveMinute: RolledUpTable
  readingsHourly: RolledUpTable
  controlStates: ControlStateTable
  decisions: DecisionTable
  roomSlots: RoomSlotTable
  forecasts: ForecastTable
  marketPrices: MarketPriceTable
  matterBridges: MatterBridgeTable
  alerts: AlertTable
  notificationChoices: NotificationChoiceTable
  pushDevices: PushDeviceTable
  tellings: TellingTable
  webhooks: WebhookTable
  webhookPositions: WebhookPositionTable
  webhookDeliveries: WebhookDeliveryTable
  oauthClients: OauthClientTable
  oauthBuildings: OauthBuildingTable
  oauthRefreshTokens: OauthRefreshTokenTable
  oauthCodes: OauthCodeTable
  oauthDevices: OauthDeviceTable
  contacts: ContactTable
  loopTests: LoopTestTable
  screedRecords: ScreedRecordTable
  limitRecords: LimitRecordTable
  calendars: CalendarTable
  programmeLinks: ProgrammeLinkTable
  loopDetails: LoopDetailsTable
  roomHeat: RoomHeatTable
  roomSavings: RoomSavingsTable
  roomExaminations: RoomExaminationsTable
  meterReadings: MeterReadingTable
  promises: PromiseTable
  comfortVotes: ComfortVoteTable
  formerSensors: FormerSensorsTable
  monthlyMails: MonthlyMailTable
  operators: OperatorTable
  operatorSessions: OperatorSessionTable
  operatorActs: OperatorActTable
  requestErrors: RequestErrorTable
  /** On PostgreSQL alone. */
  rateWindows: RateWindowTable
  buildingMoves: BuildingMoveTable
  movedMembers: MovedMemberTable
  movedGateways: MovedGatewayTable
}

/** A building that moves between databases, or has left (ADR 48). */
interface BuildingMoveTable {
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
interface MovedMemberTable {
  accountId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  endsAt: number | null
}

/** May still sign in, to be told where its building is. */
interface MovedGatewayTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  tokenHash: FixedAtInsert<string>
  mqttHash: FixedAtInsert<string | null>
}

interface RateWindowTable {
  name: string
  endsAt: number
  used: number
}

/** 0 or 1: the two engines agree on integers, not on booleans. */
export type Bit = 0 | 1

type FixedAtInsert<T> = ColumnType<T, T, never>

/** Written by better-auth; here only to look accounts up. */
interface UserTable {
  id: FixedAtInsert<string>
  email: string
  name: string
}

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

export interface MemberTable {
  buildingId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  role: Role
  /** Ids of the rooms of a guest, as JSON; null: all. */
  rooms: string | null
  /** From then on there is no access; null: never. */
  endsAt: number | null
  createdAt: FixedAtInsert<number>
}

/** A person with the secret may join, once. */
export interface InvitationTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  secretHash: FixedAtInsert<string>
  role: FixedAtInsert<Role>
  rooms: FixedAtInsert<string | null>
  endsAt: FixedAtInsert<number | null>
  /** The one address that may accept; null: any. */
  email: FixedAtInsert<string | null>
  /** Of a handover: what becomes of the person who invites, and until when. */
  giver: FixedAtInsert<'leaves' | 'installer' | null>
  giverEndsAt: FixedAtInsert<number | null>
  invitedBy: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
  expiresAt: FixedAtInsert<number>
  acceptedBy: string | null
  /** 1 where the secret was sent to the address and shown to nobody. */
  isMailed: Generated<number>
  /** The new account that has the secret and has not proved the address. */
  claimedBy: string | null
}

/** Who changed what, from what to what. Values are JSON arrays of columns (house/change-log/settings.ts). */
interface ChangeLogTable {
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

interface WeatherTable {
  buildingId: FixedAtInsert<string>
  updatedAt: number
  temperatureC: number
  cloudPct: number
  windDeg: number
  windMs: number
}

export interface GatewayTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  key: FixedAtInsert<string>
  name: string
  tokenHash: string
  /** The token once more, hashed in the form Mosquitto's password file has. */
  mqttHash: string | null
  createdAt: FixedAtInsert<number>
  lastSeenAt: number | null
  state: GatewayStatus['state'] | null
  boot: string | null
  version: string | null
  channels: number | null
  clockOk: Bit | null
  buffered: number | null
  commandSeq: Generated<number>
  /** The valves as last commanded, as JSON, and when that is to be said again. */
  command: string | null
  commandDueAt: number | null
  ackedEpoch: number | null
  ackedSeq: number | null
  ackResult: string | null
  /** By how much its commands are of a later epoch than the database: those it had in another one count higher. */
  epochOffset: Generated<number>
  /** Whether it connects to another broker when it is told to; null before it has reported that. */
  followsMoves: Bit | null
  configRevision: Generated<number>
  /** The configuration as last published, as JSON. */
  config: string | null
  confirmedRevision: number | null
  /** Whether it can leave a valve to another thermostat; null before it has reported that. */
  watches: Bit | null
  /** The boot of the agent that works the outputs. */
  agentBoot: string | null
  /** When that agent was last heard. */
  agentSeenAt: number | null
  /** The machine of another agent of the same gateway, and when it last reported that it stands by. */
  otherAgent: string | null
  otherAgentAt: number | null
  /** Its gateway.yaml without secrets, for the box that replaces it. */
  file: string | null
  /** What it last reported of its relays and of the heat source, as JSON. */
  relayReport: string | null
  sourceReport: string | null
}

interface MetaTable {
  name: FixedAtInsert<string>
  value: string
}

interface PairingCodeTable {
  codeHash: FixedAtInsert<string>
  gatewayId: FixedAtInsert<string>
  expiresAt: FixedAtInsert<number>
}

interface GatewayMessageTable {
  gatewayId: FixedAtInsert<string>
  boot: FixedAtInsert<string>
  n: FixedAtInsert<number>
  receivedAt: FixedAtInsert<number>
}

export interface ValveWindowTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  startedAt: FixedAtInsert<number>
  windowS: FixedAtInsert<number>
  openS: FixedAtInsert<number>
  source: FixedAtInsert<WindowReport['source']>
}

interface ReadingTable {
  buildingId: FixedAtInsert<string>
  sensorId: FixedAtInsert<string>
  measuredAt: FixedAtInsert<number>
  temperatureC: FixedAtInsert<number>
  humidityPct: FixedAtInsert<number | null>
}

interface RolledUpTable {
  sensorId: FixedAtInsert<string>
  startsAt: FixedAtInsert<number>
  count: number
  meanC: number
  minC: number
  maxC: number
  humidityCount: number
  humidityPct: number | null
}

interface SensorTable {
  /** What rows refer to; outside the database the address is shown. */
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  /** Lower-case hex pairs; unique within the building. */
  address: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
  temperatureC: number | null
  humidityPct: number | null
  batteryPct: number | null
  rssiDbm: number | null
  measuredAt: number | null
  /** When that reading arrived, by the service's clock. */
  receivedAt: number | null
}

interface ContactTable {
  buildingId: FixedAtInsert<string>
  id: FixedAtInsert<string>
  roomId: string | null
  isOpen: Bit
  batteryPct: number | null
  measuredAt: number
}

export interface RoomTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  key: FixedAtInsert<string>
  name: string
  position: number
  floorType: FloorType
  sensorId: string
  floorSensorId: string | null
  /** Beside the first one, as JSON with their addresses. */
  otherSensors: string | null
  areaM2: number | null
  /** By this the pages group rooms. */
  storey: string | null
  /** Since when another thermostat heats it and its valves get no command; null where the heating control does. */
  watchedSince: number | null
  /** Null: by the name. */
  icon: RoomIcon | null
  targetC: number
  /** Until when the target counts before programme and absence, as JSON. */
  targetHold: ColumnType<string | null>
  presetMode: PresetMode
  manualEnabled: Bit
  manualPower: number
  comfortBandK: number
  /** At most one of the two, as JSON: every night the same, or a whole week. */
  nightMode: ColumnType<string | null>
  programme: ColumnType<string | null>
  /** As JSON; it counts until its end and is replaced or removed later. */
  override: ColumnType<string | null>
  maxFloorC: number
  /** f_Rsi of its coldest surface. */
  surfaceFactor: number
  /** By how much it may be warmed against mould. */
  mouldWarmingK: number
  /** The people without whom it is not used, as JSON; null: anybody. */
  usedBy: string | null
  /** How far it may cool and be warm again in the time that people chose; null until worked out. */
  warmAgainK: number | null
  /** What it is cooled to while the building cools; null: not at all. */
  coolingTargetC: number | null
  /** When the floor has a minimum, JSON; null: never. */
  floorTimes: string | null
  /** What the target is the temperature of. */
  targetOf: 'air' | 'floor'
  /** Its blinds and when to close them, JSON; null: it has none. */
  blinds: string | null
  /** What is remembered of that surface, as JSON; see house/air/count.ts. */
  surfaceRecord: ColumnType<string | null>
  /** What the heating control last decided, and the manual setting it was decided for. */
  controlPower: number
  /** Whether that power is coolness. */
  cools: Generated<Bit>
  controlledWish: string | null
  /** What the room has needed lately, for a gateway without commands; null until learned. */
  fallbackPower: number | null
  /** What was aimed for at that decision, and the later moment it already heats for, if any. */
  aimC: number | null
  warmingFor: number | null
  /** When its heat was last counted. */
  heatCountedAt: Generated<number>
  /** Never falls; null until a day of the room was counted in kWh. */
  heatCounterKwh: number | null
  fittedAt: Generated<number>
  createdAt: FixedAtInsert<number>
}

interface ValveTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  roomId: string
}

/** Which room a loop was confirmed to warm, null for none, and how sure a search was of it. */
/** As a person has entered it. */
interface LoopDetailsTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  lengthM: number | null
  spacingMm: number | null
  covering: string | null
  designFlow: number | null
}

/** Entries are only ever added (house/screed/record.ts). */
interface ScreedRecordTable {
  buildingId: FixedAtInsert<string>
  runId: FixedAtInsert<string>
  n: FixedAtInsert<number>
  text: FixedAtInsert<string>
  hash: FixedAtInsert<string>
}

/** What a power limit was expected to bring, and what it brought; see house/flexibility/record.ts. */
interface LimitRecordTable {
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

interface LoopTestTable {
  gatewayId: FixedAtInsert<string>
  channel: FixedAtInsert<number>
  roomId: FixedAtInsert<string | null>
  testedAt: FixedAtInsert<number>
  certainty: FixedAtInsert<number | null>
}

export interface ApiKeyTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  name: string
  /** Of the key; of what an app was granted, of the access token, which is replaced again and again. */
  hash: string
  hint: FixedAtInsert<string>
  permission: FixedAtInsert<Permission>
  /** Ids of the buildings it is limited to, as JSON; null: all of its holder. An app's are in `oauth_buildings`. */
  buildings: FixedAtInsert<string | null>
  /** Whether it also opens the settings of the heating control. */
  control: ColumnType<Bit, Bit | undefined, never>
  createdAt: FixedAtInsert<number>
  lastUsedAt: number | null
  /** Of what an app was granted, the end of the access token. */
  expiresAt: number | null
  revokedAt: number | null
  /** The app that it was granted to; null for a key. */
  clientId: ColumnType<string | null, string | null | undefined, never>
  /** When what an app was granted ends unless it asks for another access token before. */
  grantEndsAt: ColumnType<number | null, number | null | undefined, number>
}

interface ControlStateTable {
  roomId: FixedAtInsert<string>
  version: number
  state: string
  /** The decision that was last written down: when, and what it came to. */
  keptAt: number | null
  keptGist: string | null
}

interface DecisionTable {
  roomId: FixedAtInsert<string>
  decidedAt: FixedAtInsert<number>
  power: number
  targetC: number
  decision: string
}

interface RoomSlotTable {
  roomId: FixedAtInsert<string>
  endsAt: FixedAtInsert<number>
  slot: FixedAtInsert<string>
}

interface MarketPriceTable {
  area: FixedAtInsert<string>
  /** When it is worth asking again. */
  dueAt: number
  /** `KnownPrices` as JSON; null before any has arrived. */
  prices: string | null
}

/** A local day of a room. */
interface RoomHeatTable {
  roomId: FixedAtInsert<string>
  /** As 2026-01-10. */
  day: FixedAtInsert<string>
  kwhM2: number
  /** One standard deviation of the logarithm. */
  spread: number
  /** Wh/m² of each hour, as JSON. */
  hours: string
  /** By the prices of the day; null where there was none. */
  costM2: number | null
  /** What the counter of the room has of this day; null where the area was not known. */
  countedKwh: number | null
  /** Means of the day; null where they were not kept yet. */
  airC: number | null
  outdoorC: number | null
}

/** Rooms of which it is known; see house/replays/savings.ts. */
interface RoomSavingsTable {
  roomId: FixedAtInsert<string>
  replayedAt: number
  /** What was replayed, and what would have been saved: JSON. */
  settings: string
  savings: string
}

/** What its last days say about possible faults: an `Examination` as JSON. */
interface RoomExaminationsTable {
  roomId: FixedAtInsert<string>
  examinedAt: number
  examination: string
}

/** How warm a room was promised to be when a higher setpoint begins; see house/heating/promises.ts. */
interface PromiseTable {
  roomId: FixedAtInsert<string>
  dueAt: FixedAtInsert<number>
  setpointC: FixedAtInsert<number>
  expectedC: FixedAtInsert<number>
  /** Null until then, and where the setpoint was changed in the meantime or no reading was there. */
  measuredC: number | null
}

/** When a person found a room too cold or too warm, at most once an hour; see house/rooms/feedback.ts. */
/** Which sensors measured a room before others did. */
interface FormerSensorsTable {
  roomId: FixedAtInsert<string>
  untilAt: FixedAtInsert<number>
  sensorId: FixedAtInsert<string>
  otherSensors: FixedAtInsert<string | null>
}

interface ComfortVoteTable {
  roomId: FixedAtInsert<string>
  hourAt: FixedAtInsert<number>
  pressedAt: number
  feeling: Feeling
  /** What the room was heated towards, and how warm it was. */
  setpointC: number
  temperatureC: number | null
}

/** The last counter of each hour; of older days only the last one. */
interface MeterReadingTable {
  gatewayId: FixedAtInsert<string>
  kind: FixedAtInsert<MeterKind>
  hourAt: FixedAtInsert<number>
  readAt: number
  kwh: number
}

/** One mail to one person about a month of a building. */
interface MonthlyMailTable {
  accountId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  month: FixedAtInsert<string>
  /** When to try next; null once it has been sent, or is not wanted. */
  dueAt: number | null
  attempts: number
}

interface ForecastTable {
  place: FixedAtInsert<string>
  updatedAt: number
  dueAt: number
  lastModified: string | null
  forecast: string | null
}

interface MatterBridgeTable {
  buildingId: FixedAtInsert<string>
  manualCode: string
  qrPayload: string
  controllers: number
  seenAt: number
}

interface AlertTable {
  id: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  roomId: FixedAtInsert<string | null>
  /** Kind and place. */
  subject: FixedAtInsert<string>
  /** The same until it has ended: then there is one of each. */
  openSubject: string | null
  /** As JSON, with its figures when it was last seen. */
  alert: string
  beganAt: FixedAtInsert<number>
  /** Since when it has not been seen; it ends when that lasts. */
  absentSince: number | null
  endedAt: number | null
  /** Until then it is not counted among what needs attention. */
  snoozedUntil: number | null
}

interface NotificationChoiceTable {
  accountId: FixedAtInsert<string>
  mail: Bit
  language: Language
  /** Kinds of alerts that are not sent, as JSON. */
  muted: string
  /** Whether a mail about the heat of the month before is sent. */
  monthly: Generated<Bit>
}

interface PushDeviceTable {
  id: FixedAtInsert<string>
  accountId: string
  sessionId: string
  endpoint: FixedAtInsert<string>
  p256dh: string
  auth: string
  language: Language
  userAgent: string
  createdAt: FixedAtInsert<number>
}

/** One way to one reader of one alert: by mail, or to a device. */
interface TellingTable {
  id: FixedAtInsert<string>
  /** The reader. */
  accountId: FixedAtInsert<string>
  alertId: FixedAtInsert<string>
  deviceId: FixedAtInsert<string | null>
  /** When to look at it next; null when there is nothing left to say. */
  dueAt: number | null
  attempts: number
  beganToldAt: number | null
  endedToldAt: number | null
}

interface CalendarTable {
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

interface ProgrammeLinkTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  roomId: FixedAtInsert<string>
  secretHash: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
}

interface WebhookTable {
  id: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  url: FixedAtInsert<string>
  /** What it is about, as JSON. */
  events: FixedAtInsert<string>
  createdAt: FixedAtInsert<number>
  /** Since then nothing is sent: the receiver is gone. */
  disabledAt: number | null
  /** The last number that a delivery was given, and the last up to which all are settled. */
  numbered: Generated<number>
  settled: Generated<number>
  /** When to try next; null while nothing waits. */
  dueAt: number | null
  /** That failed since the last that did not. */
  attempts: Generated<number>
}

/** The last entry of a building's change log that was queued for a webhook. */
interface WebhookPositionTable {
  webhookId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  sequence: number
}

interface WebhookDeliveryTable {
  webhookId: FixedAtInsert<string>
  /** Rises within a webhook; it is delivered in this order. */
  n: FixedAtInsert<number>
  messageId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string | null>
  type: FixedAtInsert<string>
  /** What is sent; null once it is settled. */
  payload: string | null
  queuedAt: FixedAtInsert<number>
  attempts: Generated<number>
  triedAt: number | null
  /** The status of the last answer, or why there was none. */
  result: string | null
  /** Null while it waits. */
  outcome: 'delivered' | 'failed' | 'withdrawn' | null
}

interface OperatorTable {
  id: FixedAtInsert<string>
  name: FixedAtInsert<string>
  passwordHash: string
  /** The second factor is derived from it and the secret of the service. */
  enrolment: string
  createdAt: FixedAtInsert<number>
  signedInAt: number | null
}

interface OperatorSessionTable {
  tokenHash: FixedAtInsert<string>
  operatorId: FixedAtInsert<string>
  endsAt: FixedAtInsert<number>
}

/** Rows are added and never changed. */
interface OperatorActTable {
  id: FixedAtInsert<string>
  actedAt: FixedAtInsert<number>
  /** The name: it stays when the operator has gone. */
  operator: FixedAtInsert<string>
  act: FixedAtInsert<OperatorAct>
  /** A building, an operator, or what was searched for. */
  subject: FixedAtInsert<string>
  detail: FixedAtInsert<string>
}

interface RequestErrorTable {
  id: FixedAtInsert<string>
  failedAt: FixedAtInsert<number>
  machine: FixedAtInsert<string>
  requestId: FixedAtInsert<string>
  route: FixedAtInsert<string>
  status: FixedAtInsert<number>
  message: FixedAtInsert<string>
}

/** A room is planned by one of the two: writing one removes the other. */
export const planColumns = (plan: { nightMode?: NightMode | null; programme?: Programme | null }) => ({
  nightMode: plan.nightMode ? JSON.stringify(plan.nightMode) : null,
  programme: plan.programme ? JSON.stringify(plan.programme) : null,
})

/** An app of a third party. */
interface OauthClientTable {
  id: FixedAtInsert<string>
  name: FixedAtInsert<string>
  /** As JSON. */
  redirectUris: FixedAtInsert<string>
  /** By dynamic registration; else by the operator. */
  isSelfRegistered: FixedAtInsert<Bit>
  createdAt: FixedAtInsert<number>
}

/** What an app may do in a building, as long as the account that granted it is a member there. */
interface OauthBuildingTable {
  keyId: FixedAtInsert<string>
  buildingId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  permission: FixedAtInsert<Permission>
}

interface OauthRefreshTokenTable {
  hash: FixedAtInsert<string>
  keyId: FixedAtInsert<string>
  /** When another one took its place; null for the one that counts. */
  replacedAt: number | null
}

interface OauthCodeTable {
  hash: FixedAtInsert<string>
  clientId: FixedAtInsert<string>
  accountId: FixedAtInsert<string>
  redirectUri: FixedAtInsert<string>
  /** SHA-256 of what the app has to show for it. */
  challenge: FixedAtInsert<string>
  /** What was granted in which building, as JSON. */
  buildings: FixedAtInsert<string>
  expiresAt: FixedAtInsert<number>
  /** What it was exchanged for. */
  keyId: string | null
}

interface OauthDeviceTable {
  hash: FixedAtInsert<string>
  userCode: FixedAtInsert<string>
  clientId: FixedAtInsert<string>
  permission: FixedAtInsert<Permission>
  expiresAt: FixedAtInsert<number>
  /** How long the device has to wait between two questions. */
  intervalS: number
  askedAt: number | null
  /** Who has decided; null while nobody has. */
  accountId: string | null
  /** What was granted in which building, as JSON; null where nothing was. */
  buildings: string | null
  keyId: string | null
}
