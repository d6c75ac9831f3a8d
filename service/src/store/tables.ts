import type {
  BuildingMoveTable,
  BuildingTable,
  CalendarTable,
  ChangeLogTable,
  ForecastTable,
  LimitRecordTable,
  MarketPriceTable,
  MatterBridgeTable,
  MeterReadingTable,
  MovedGatewayTable,
  MovedGrantTable,
  MovedMemberTable,
  ScreedRecordTable,
  WeatherTable,
} from './tables/building.ts'
import type { FixedAtInsert } from './tables/columns.ts'
import type {
  ControlStateTable,
  DecisionTable,
  PromiseTable,
  RoomExaminationsTable,
  RoomHeatTable,
  RoomSavingsTable,
  RoomSlotTable,
} from './tables/control.ts'
import type {
  ContactTable,
  GatewayMessageTable,
  GatewayTable,
  PairingCodeTable,
  ReadingTable,
  RolledUpTable,
  SensorTable,
  ValveWindowTable,
} from './tables/gateways.ts'
import type {
  AlertTable,
  MonthlyMailTable,
  NotificationChoiceTable,
  PushDeviceTable,
  TellingTable,
  WebhookDeliveryTable,
  WebhookPositionTable,
  WebhookTable,
} from './tables/notices.ts'
import type { OperatorActTable, OperatorSessionTable, OperatorTable, RequestErrorTable } from './tables/operators.ts'
import type {
  ApiKeyTable,
  InvitationTable,
  MemberTable,
  OauthBuildingTable,
  OauthClientTable,
  OauthCodeTable,
  OauthDeviceTable,
  OauthRefreshTokenTable,
  UserTable,
} from './tables/people.ts'
import type {
  ComfortVoteTable,
  FormerSensorsTable,
  LoopDetailsTable,
  LoopTestTable,
  ProgrammeLinkTable,
  RoomTable,
  ValveTable,
} from './tables/rooms.ts'

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
  movedGrants: MovedGrantTable
  movedGateways: MovedGatewayTable
}

interface RateWindowTable {
  name: string
  endsAt: number
  used: number
}

interface MetaTable {
  name: FixedAtInsert<string>
  value: string
}
