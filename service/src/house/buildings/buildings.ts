import { type Building, timestampOf, UUID_PATTERN } from '@hypocaust/domain'
import { isWithin } from '../../base/clock.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'

/** How long after the newest heartbeat a building still counts as available. */
export interface Availability {
  silentAfterS: number
}

export interface BuildingScope {
  accountId: string
  buildingId: string
}

export type BuildingRow = Awaited<ReturnType<ReturnType<typeof selectBuildings>['execute']>>[number]

const buildingsOfAccount = statement((db, { accountId }: { accountId: string }) =>
  selectBuildings({ db }, accountId).orderBy('buildings.id'),
)

const buildingOfAccount = statement((db, { accountId, buildingId }: BuildingScope) =>
  selectBuildings({ db }, accountId).where('buildings.id', '=', buildingId),
)

export const buildingsOf = (store: Store, accountId: string): Promise<BuildingRow[]> =>
  buildingsOfAccount.all(store, { accountId })

/** A building of another account does not exist. */
export async function findBuilding(store: Store, scope: BuildingScope): Promise<BuildingRow | undefined> {
  if (!UUID_PATTERN.test(scope.buildingId)) return undefined
  return buildingOfAccount.first(store, scope)
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

export function buildingView(row: BuildingRow, { silentAfterS }: Availability, nowMs: number): Building {
  return {
    id: row.id,
    name: row.name,
    location: { lat: row.lat, lng: row.lng },
    available: row.lastSeenAt === null ? null : isWithin(nowMs - row.lastSeenAt, silentAfterS * 1000),
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

function selectBuildings({ db }: Pick<Store, 'db'>, accountId: string) {
  return db
    .selectFrom('buildings')
    .leftJoin('weather', 'weather.buildingId', 'buildings.id')
    .where('buildings.accountId', '=', accountId)
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

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
