import { sql } from 'kysely'
import { rowsByKey } from '../../store/rows-by-key.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { RoomContact } from '../contacts/contacts.ts'
import type { CoolingRow } from '../cooling/settings.ts'
import { COVER_COLUMNS, type CoverRow } from '../covers/orders.ts'
import type { Reported } from '../gateways/conditions.ts'
import { SENT_COLUMNS, type SentGateway } from '../gateways/valves.ts'
import { HOT_WATER_COLUMNS, type HotWaterRow } from '../hot-water/settings.ts'
import { HOUSE_COLUMNS, type HouseRow } from '../rooms/schedule-inputs.ts'
import type { LearnedRow } from '../source/learned.ts'
import { POWER_LIMIT_COLUMNS, type PowerLimitRow } from '../source/power-limit.ts'
import { ENERGY_COLUMNS } from '../source/settings.ts'
import type { SupplyRow } from '../source/supply.ts'

export interface ControlledBuilding
  extends HouseRow,
    SupplyRow,
    PowerLimitRow,
    LearnedRow,
    CoolingRow,
    HotWaterRow,
    CoverRow {
  id: string
  lat: number
  lng: number
  timezone: string
  frostProtection: 0 | 1
  revisedAt: number
  revisedTrace: string | null
  followedRevision: number
  setpointsChangeAt: number
  controlledAt: number
  recommendedUntil: number | null
  loopRun: string | null
}

export interface ControlledGateway extends SentGateway, Reported {
  lastSeenAt: number | null
}

/** Which gateway works a room. */
export interface ControlledValve extends Reported {
  roomId: string
  gatewayId: string
  channel: number
  lastSeenAt: number | null
}

/** What people have set, and what was learned about the source. */
export const BUILDING_SETTINGS = [
  'lat',
  'lng',
  'frostProtection',
  'learnedSource',
  'loopRun',
  'cooling',
  ...ENERGY_COLUMNS,
  ...HOUSE_COLUMNS,
] as const

const BUILDING_STATE = [
  ...([
    'revisedAt',
    'revisedTrace',
    'followedRevision',
    'setpointsChangeAt',
    'controlledAt',
    'supplySetpoint',
    'recommendedUntil',
    'coolingState',
  ] as const),
  ...POWER_LIMIT_COLUMNS,
  ...HOT_WATER_COLUMNS,
  ...COVER_COLUMNS,
] as const

/** A row for each gateway, and one for a building without any. */
const buildings = statement((db, { keys }: { keys: unknown }, { isIn, jsonRows }) =>
  db
    .selectFrom('buildings')
    .leftJoin('gateways', 'gateways.buildingId', 'buildings.id')
    .where(isIn('buildings.id', keys))
    .select(['buildings.id', 'gateways.id as gatewayId'])
    .select([...BUILDING_SETTINGS, ...BUILDING_STATE].map((column) => `buildings.${column}` as const))
    .select(['gateways.lastSeenAt', 'gateways.relayReport', 'gateways.sourceReport'])
    .select(SENT_COLUMNS.map((column) => `gateways.${column}` as const))
    .select(({ selectFrom }) => selectFrom('meta').select('value').where('name', '=', 'epoch').as('epoch'))
    .select([
      jsonRows([sql`room_id`, sql`channel`], sql`valves where gateway_id = gateways.id`, sql`channel`).as('valves'),
      jsonRows(
        [sql`room_id`, sql`is_open`, sql`measured_at`],
        sql`contacts where building_id = buildings.id and room_id is not null`,
        sql`measured_at`,
      ).as('contacts'),
    ])
    .orderBy('gateways.id'),
)
const rowsOf = rowsByKey(buildings, ({ id }) => id)

interface FoundBuilding {
  building: ControlledBuilding
  /** All of the building, also those that work no valve. */
  gateways: ControlledGateway[]
  valves: ControlledValve[]
  contacts: RoomContact[]
}

/** A building with all that is not of a room, of one moment. */
export async function readBuilding(store: Store, buildingId: string): Promise<FoundBuilding | undefined> {
  const rows = await rowsOf(store, buildingId)
  const [building] = rows
  if (!building) return undefined
  const gateways = rows.filter(hasGateway)
  const valves = gateways.flatMap(({ gatewayId, lastSeenAt, relayReport, sourceReport, valves }) =>
    (JSON.parse(valves) as [roomId: string, channel: number][]).map(([roomId, channel]) => ({
      ...{ roomId, channel, gatewayId, lastSeenAt, relayReport, sourceReport },
    })),
  )
  const contacts = JSON.parse(building.contacts) as RoomContact[]
  return { building, gateways, valves, contacts }
}

type BuildingRow = Awaited<ReturnType<typeof rowsOf>>[number]
type GatewayRow = BuildingRow & { [Name in keyof SentGateway]: SentGateway[Name] }

/** The columns of a gateway are null in the row of a building without any. */
const hasGateway = (row: BuildingRow): row is GatewayRow => row.gatewayId !== null
