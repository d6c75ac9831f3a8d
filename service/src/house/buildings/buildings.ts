import { type Building, timestampOf, UUID_PATTERN } from '@hypocaust/domain'
import { isWithin } from '../../base/clock.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { isActive, type Membership } from '../membership.ts'

/** How long after the newest heartbeat a building still counts as available. */
export interface Availability {
  silentAfterS: number
}

export type BuildingRow = Awaited<ReturnType<ReturnType<typeof selectBuildings>['execute']>>[number]
/** A building with what the person who asks is in it. */
export type MembersBuilding = BuildingRow & Membership & { endsAt: number | null }

const buildingsOfPerson = statement((db, { accountId, nowMs }: { accountId: string; nowMs: number }) =>
  selectBuildings({ db })
    .innerJoin('members', 'members.buildingId', 'buildings.id')
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs))
    .select(['members.role', 'members.rooms', 'members.endsAt'])
    .orderBy('buildings.id'),
)

const buildingOfPerson = statement(
  (db, { accountId, buildingId, nowMs }: { accountId: string; buildingId: string; nowMs: number }) =>
    selectBuildings({ db })
      .innerJoin('members', 'members.buildingId', 'buildings.id')
      .where('members.accountId', '=', accountId)
      .where('buildings.id', '=', buildingId)
      .where(isActive(nowMs))
      .select(['members.role', 'members.rooms', 'members.endsAt']),
)

const buildingById = statement((db, { buildingId }: { buildingId: string }) =>
  selectBuildings({ db }).where('buildings.id', '=', buildingId),
)

/** The buildings a person is a member of at the moment. */
export const buildingsOf = (store: Store, accountId: string, nowMs: number): Promise<MembersBuilding[]> =>
  buildingsOfPerson.all(store, { accountId, nowMs })

/** One of them, as a list that is empty where the person is no member. */
export const buildingOf = (
  store: Store,
  accountId: string,
  buildingId: string,
  nowMs: number,
): Promise<MembersBuilding[]> => buildingOfPerson.all(store, { accountId, buildingId, nowMs })

export const allBuildings = (store: Pick<Store, 'db'>): Promise<BuildingRow[]> =>
  selectBuildings(store).orderBy('buildings.id').execute()

/** A building of any account: the caller has checked who may see it. */
export async function findBuilding(store: Store, buildingId: string): Promise<BuildingRow | undefined> {
  if (!UUID_PATTERN.test(buildingId)) return undefined
  return buildingById.first(store, { buildingId })
}

/** For the operator's command, across accounts. */
export function listAllBuildings({ db }: Store, accountId?: string) {
  return db
    .selectFrom('buildings')
    .innerJoin('user', 'user.id', 'buildings.accountId')
    .select(['buildings.id', 'buildings.name', 'user.email as account'])
    .$if(accountId !== undefined, (query) => query.where('buildings.accountId', '=', accountId ?? ''))
    .orderBy('buildings.id')
    .execute()
}

/** Null before it has ever reported. */
export const isAvailable = (
  lastSeenAt: number | null,
  { silentAfterS }: Availability,
  nowMs: number,
): boolean | null => (lastSeenAt === null ? null : isWithin(nowMs - lastSeenAt, silentAfterS * 1000))

export function buildingView(row: BuildingRow, availability: Availability, nowMs: number): Building {
  return {
    id: row.id,
    name: row.name,
    location: { lat: row.lat, lng: row.lng },
    available: isAvailable(row.lastSeenAt, availability, nowMs),
    last_seen: row.lastSeenAt === null ? null : timestampOf(row.lastSeenAt),
    weather: weatherView(row),
  }
}

function weatherView(row: BuildingRow): Building['weather'] {
  const { updatedAt, temperatureC, cloudPct, windDeg, windMs } = row
  if (updatedAt === null || temperatureC === null || cloudPct === null || windDeg === null || windMs === null)
    return null
  return {
    updated: timestampOf(updatedAt),
    temperature: temperatureC,
    cloud_coverage: cloudPct,
    wind: { direction: windDeg, speed: windMs },
  }
}

function selectBuildings({ db }: Pick<Store, 'db'>) {
  return db
    .selectFrom('buildings')
    .leftJoin('weather', 'weather.buildingId', 'buildings.id')
    .select([
      'buildings.id',
      'buildings.name',
      'buildings.lat',
      'buildings.lng',
      'buildings.timezone',
      'weather.updatedAt',
      'weather.temperatureC',
      'weather.cloudPct',
      'weather.windDeg',
      'weather.windMs',
    ])
    .select((eb) =>
      eb
        .selectFrom('gateways')
        .whereRef('gateways.buildingId', '=', 'buildings.id')
        .select((inner) => inner.fn.max('gateways.lastSeenAt').as('newest'))
        .as('lastSeenAt'),
    )
}
