import { DAY_MS, type NotifiedKind } from '@hypocaust/domain'
import { type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { VERSION } from '../../base/version.ts'
import { KEPT_WITHIN_K } from '../../house/heating/promises.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'

/** What a building of the fleet may need, as the operator filters by it. */
export const FLEET_NEEDS = ['offline', 'alerts', 'no_heat', 'sensors', 'old_gateway', 'learning'] as const
export type FleetNeed = (typeof FLEET_NEEDS)[number]

const NO_HEAT: NotifiedKind[] = [
  'heat_source_failed',
  'supply_too_cold',
  'target_unreachable',
  'valve_without_effect',
  'valve_silent',
  'loop_low_flow',
  'cooling_left_on',
]
const SENSORS: NotifiedKind[] = ['sensor_silent', 'battery_low', 'floor_probe_silent', 'sensors_swapped']

/** Of fewer mornings nothing is said. */
const FEWEST_PROMISES = 7
const PROMISES_OF_MS = 14 * DAY_MS

interface FleetLook {
  nowMs: number
  silentAfterS: number
}

interface Sought extends FleetLook {
  need?: FleetNeed | undefined
  /** Part of a name or of the owner's address, or the id of a building or gateway. */
  search?: string | undefined
  from: number
  most: number
}

export type FleetBuilding = Awaited<ReturnType<typeof fleetBuildings>>[number]

/** Buildings of all accounts: those longest out of reach first, then those with the oldest alert. */
export function fleetBuildings({ db }: Store, { need, search, from, most, ...look }: Sought) {
  const found = db
    .selectFrom('buildings')
    .innerJoin('user', 'user.id', 'buildings.accountId')
    .$if(need !== undefined, (query) => query.where((eb) => needs(eb, need ?? 'alerts', look)))
    .$if(search !== undefined, (query) => query.where((eb) => matches(eb, search ?? '')))
    .select(['buildings.id', 'buildings.name', 'user.email as account'])
    .select((eb) => [
      newestHeartbeat(eb).as('lastSeenAt'),
      openAlerts(eb)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('alerts'),
      openAlerts(eb)
        .select(({ fn }) => fn.min('beganAt').as('beganAt'))
        .as('alertsSince'),
    ])
  const silentSince = look.nowMs - look.silentAfterS * 1000
  return db
    .selectFrom(found.as('found'))
    .selectAll()
    .orderBy((eb) => eb.case().when('lastSeenAt', '<', silentSince).then(eb.ref('lastSeenAt')).else(look.nowMs).end())
    .orderBy((eb) => eb.fn.coalesce('alertsSince', eb.val(look.nowMs)))
    .orderBy('id')
    .offset(from)
    .limit(most)
    .execute()
}

/** How many buildings have each need. */
export async function fleetNeeds({ db }: Store, look: FleetLook): Promise<Record<FleetNeed, number>> {
  const counts = await Promise.all(
    FLEET_NEEDS.map(async (need) => {
      const { count } = await db
        .selectFrom('buildings')
        .select(({ fn }) => fn.countAll().as('count'))
        .where((eb) => needs(eb, need, look))
        .executeTakeFirstOrThrow()
      return [need, Number(count)] as const
    }),
  )
  return Object.fromEntries(counts) as Record<FleetNeed, number>
}

type InBuildings = Pick<ExpressionBuilder<Tables, 'buildings'>, 'selectFrom' | 'exists' | 'and'>

function needs(eb: InBuildings, need: FleetNeed, { nowMs, silentAfterS }: FleetLook): RawBuilder<SqlBool> {
  switch (need) {
    case 'offline':
      return sql`${newestHeartbeat(eb)} < ${nowMs - silentAfterS * 1000}`
    case 'alerts':
      return sql`exists ${openAlerts(eb).select('alerts.id')}`
    case 'no_heat':
      return ofKinds(eb, NO_HEAT)
    case 'sensors':
      return ofKinds(eb, SENSORS)
    case 'old_gateway':
      return sql`exists ${gateways(eb).select('gateways.id').where('gateways.version', '!=', VERSION)}`
    case 'learning':
      return sql`buildings.id in ${badlyLearned(eb, nowMs)}`
  }
}

const gateways = (eb: InBuildings) => eb.selectFrom('gateways').whereRef('gateways.buildingId', '=', 'buildings.id')

const newestHeartbeat = (eb: InBuildings) => gateways(eb).select(({ fn }) => fn.max('gateways.lastSeenAt').as('newest'))

const openAlerts = (eb: InBuildings) =>
  eb.selectFrom('alerts').whereRef('alerts.buildingId', '=', 'buildings.id').where('alerts.openSubject', 'is not', null)

/** A subject begins with the kind. */
const ofKinds = (eb: InBuildings, kinds: NotifiedKind[]): RawBuilder<SqlBool> =>
  sql`exists ${openAlerts(eb)
    .select('alerts.id')
    .where((alert) => alert.or(kinds.map((kind) => alert('alerts.subject', 'like', `${kind} %`))))}`

/** Whose rooms were colder than promised on most of the last mornings. */
const badlyLearned = (eb: InBuildings, nowMs: number) =>
  eb
    .selectFrom('promises')
    .innerJoin('rooms', 'rooms.id', 'promises.roomId')
    .select('rooms.buildingId')
    .where('promises.dueAt', '>', nowMs - PROMISES_OF_MS)
    .where('promises.measuredC', 'is not', null)
    .groupBy('rooms.buildingId')
    .having(sql<boolean>`count(*) >= ${FEWEST_PROMISES} and 2 * sum(${isKept}) < count(*)`)

const isKept = sql`case when promises.measured_c >= promises.expected_c - ${sql.lit(KEPT_WITHIN_K)} then 1 else 0 end`

/** Of the promises of the last days that could be checked, how many were kept. */
export async function promisesKept(db: Kysely<Tables>, buildingId: string, nowMs: number) {
  const row = await db
    .selectFrom('promises')
    .innerJoin('rooms', 'rooms.id', 'promises.roomId')
    .select(({ fn }) => [fn.countAll<number>().as('of'), sql<number | null>`sum(${isKept})`.as('kept')])
    .where('rooms.buildingId', '=', buildingId)
    .where('promises.dueAt', '>', nowMs - PROMISES_OF_MS)
    .where('promises.measuredC', 'is not', null)
    .executeTakeFirstOrThrow()
  return { kept: Number(row.kept ?? 0), of: Number(row.of) }
}

function matches(eb: InBuildings, search: string): RawBuilder<SqlBool> {
  const part = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const like = (column: string) => sql`lower(${sql.ref(column)}) like ${part} escape '\\'`
  const gateway = gateways(eb).select('gateways.id').where('gateways.id', '=', search.toLowerCase())
  return sql`(${like('buildings.name')} or ${like('user.email')} or buildings.id = ${search.toLowerCase()} or exists ${gateway})`
}
