import { randomUUIDv7 } from 'node:crypto'
import {
  type AppBuilding,
  type BuildingPatch,
  mayDo,
  type NewBuilding,
  slugOf,
  timestampOf,
  UUID_PATTERN,
} from '@hypocaust/domain'
import type { Selectable, Updateable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import { isTimeZone } from '../../base/time-zone.ts'
import { batchWithin, buildingsOfAccount } from '../../store/quotas.ts'
import type { Store } from '../../store/store.ts'
import type { BuildingTable } from '../../store/tables/building.ts'
import { recordAddedBuilding } from '../change-log/record-things.ts'
import {
  COOLING_COLUMNS,
  canCool,
  coolingColumns,
  coolingProblemOf,
  coolingSettingsOf,
  seasonOf,
} from '../cooling/settings.ts'
import { coversIn } from '../covers/orders.ts'
import { HOT_WATER_COLUMNS, hotWaterColumns, hotWaterProblemOf } from '../hot-water/settings.ts'
import { hotWaterView } from '../hot-water/view.ts'
import { runningLoops } from '../loop-run/running.ts'
import { insertOwner, roomsSeen } from '../membership.ts'
import { appRoomsOf } from '../rooms/app-rooms.ts'
import { absenceOf, awayRoomsOf, HOUSE_COLUMNS } from '../rooms/schedule-inputs.ts'
import { POWER_LIMIT_COLUMNS, powerLimitIn } from '../source/power-limit.ts'
import { areaOfGateways } from '../source/prices/market.ts'
import { ENERGY_COLUMNS, energyColumns, energyProblem, energyView } from '../source/settings.ts'
import { awayColumns, spanView } from './away.ts'
import { type Availability, buildingOf, buildingsOf, buildingView, type MembersBuilding } from './buildings.ts'
import { presenceView } from './presence.ts'
import { tagsColumn, tagsIn } from './tags.ts'
import { updateBuilding } from './write.ts'

/** All buildings, or the one with this id or with this room; where the person is no member there is none. */
export type Which = 'all' | { buildingId: string } | { roomId: string }

/** The buildings of a person, each with the rooms this person sees. */
export async function appBuildingsOf(
  store: Store,
  accountId: string,
  which: Which,
  availability: Availability,
  nowMs: number,
): Promise<AppBuilding[]> {
  const rows = await rowsOf(store, accountId, which, nowMs)
  const views = await Promise.all(
    rows.map(async (row) => {
      const [found, all] = await Promise.all([
        extrasOf(store, row.id, availability, nowMs),
        appRoomsOf(store, row.id, nowMs),
      ])
      // Removed since the list was read.
      if (!found) return undefined
      const { loopRun, presence, covers, ...known } = found
      const isShown = mayDo(row.role, 'away')
      // Their names are those of rooms, also of such that a guest cannot see.
      const chosen = { presence: isShown ? presence : null, covers: mayDo(row.role, 'plan') ? covers : [] }
      const extras = { ...known, ...chosen, loop_run: runningLoops(loopRun, all, nowMs) }
      const rooms = roomsSeen(row, all, ({ id }) => id)
      const until = row.endsAt === null ? null : timestampOf(row.endsAt)
      const { timezone, role } = row
      return { ...buildingView(row, availability, nowMs), timezone, role, role_until: until, ...extras, rooms }
    }),
  )
  return views.filter((view) => view !== undefined)
}

async function rowsOf(store: Store, accountId: string, which: Which, nowMs: number): Promise<MembersBuilding[]> {
  if (which === 'all') return buildingsOf(store, accountId, nowMs)
  if (!UUID_PATTERN.test('buildingId' in which ? which.buildingId : which.roomId)) return []
  if ('buildingId' in which) return buildingOf(store, accountId, which.buildingId, nowMs)
  const room = await store.db.selectFrom('rooms').select('buildingId').where('id', '=', which.roomId).executeTakeFirst()
  return room ? buildingOf(store, accountId, room.buildingId, nowMs) : []
}

async function extrasOf({ db }: Store, buildingId: string, availability: Availability, nowMs: number) {
  const [gateways, building] = await Promise.all([
    db.selectFrom('gateways').select(['sourceReport', 'lastSeenAt']).where('buildingId', '=', buildingId).execute(),
    db
      .selectFrom('buildings')
      .select(['frostProtection', 'tags', 'loopRun', 'timezone', ...ENERGY_COLUMNS, ...HOUSE_COLUMNS])
      .select([...COOLING_COLUMNS, ...POWER_LIMIT_COLUMNS, ...HOT_WATER_COLUMNS])
      .where('id', '=', buildingId)
      .executeTakeFirst(),
  ])
  if (!building) return undefined
  const { frostProtection, loopRun } = building
  const absence = absenceOf(building)
  return {
    gateways: gateways.length,
    loopRun,
    frost_protection: frostProtection === 1,
    tags: tagsIn(building.tags),
    ...energyView(building),
    power_limit: powerLimitIn(building, nowMs),
    presence: presenceView(building, nowMs),
    cooling: coolingSettingsOf(building),
    season: seasonOf(building),
    hot_water: hotWaterView(building, gateways, availability, nowMs),
    covers: [...new Set(gateways.flatMap((gateway) => coversIn(gateway) ?? []))].sort(),
    can_cool: gateways.some(canCool),
    away:
      absence && absence.untilMs > nowMs
        ? {
            ...spanView(absence),
            temperature: absence.targetC,
            room_ids: awayRoomsOf(building),
          }
        : null,
  }
}

export async function addBuilding(
  store: Store,
  clock: Clock,
  accountId: string,
  building: NewBuilding,
  quotas = NO_QUOTAS,
): Promise<string> {
  refuseUnknownTimeZone(building.timezone)
  const { db } = store
  const id = randomUUIDv7()
  const name = building.name.trim()
  const rows = await db.selectFrom('buildings').select('key').where('accountId', '=', accountId).execute()
  const preferred = slugOf(name) || 'unnamed'
  const key = rows.some((row) => row.key === preferred) ? `${preferred}-${id.slice(-6)}` : preferred
  const now = clock.now()
  const { lat, lng } = building.location
  const { timezone } = building
  const row = { id, accountId, key, name, lat, lng, timezone, createdAt: now, revisedAt: now }
  const writes = [
    db.insertInto('buildings').values(row),
    insertOwner(store, id, accountId, now),
    recordAddedBuilding(store, now, { buildingId: id, name }),
  ]
  await batchWithin(store, quotas, writes, [buildingsOfAccount(store, accountId)])
  return id
}

export async function changeBuilding(
  store: Store,
  clock: Clock,
  id: string,
  patch: BuildingPatch,
  /** Only if these are still what is stored. */
  seen?: Partial<Pick<Selectable<BuildingTable>, 'comfort' | 'cooling'>>,
): Promise<void> {
  if (patch.timezone !== undefined) refuseUnknownTimeZone(patch.timezone)
  const problem = energyProblem(patch)?.message ?? coolingProblemOf(patch.cooling) ?? hotWaterProblemOf(patch.hot_water)
  if (problem) throw errors.invalidValue(problem)
  const changes: Updateable<BuildingTable> = {
    ...(patch.name !== undefined && { name: patch.name.trim() }),
    ...(patch.location !== undefined && patch.location),
    ...(patch.timezone !== undefined && { timezone: patch.timezone }),
    ...(patch.frost_protection !== undefined && { frostProtection: patch.frost_protection ? 1 : 0 }),
    ...(patch.room_order !== undefined && { roomOrder: patch.room_order && JSON.stringify(patch.room_order) }),
    ...(patch.tags !== undefined && { tags: tagsColumn(patch.tags) }),
    ...energyColumns(patch),
    ...(patch.presence_rule !== undefined && {
      presenceRule: patch.presence_rule && JSON.stringify(patch.presence_rule),
    }),
    ...coolingColumns(patch.cooling),
    ...hotWaterColumns(patch.hot_water),
    ...(patch.away !== undefined && awayColumns(patch.away, clock.now())),
  }
  // Its calendars have days of another length, or at another time.
  const reread = store.db
    .updateTable('calendars')
    .set({ dueAt: clock.now(), readAt: null })
    .where('buildingId', '=', id)
  const results = await store.batch([
    ...(patch.timezone === undefined ? [] : [reread]),
    ...updateBuilding(store, clock.now(), id, changes, { seen }),
  ])
  if (seen && results.at(-1)?.affectedRows === 0) throw errors.preconditionFailed('comfort setting')
}

/** Not while messages of its gateways are being taken in: they hold rows that go with it. */
export async function removeBuilding({ db, statements, batch }: Store, id: string): Promise<void> {
  const locks = statements.lockBuildings(new Set([id])).flatMap(({ queries }) => queries)
  const prices = db.deleteFrom('marketPrices').where('area', '=', areaOfGateways(id))
  await batch([...locks, prices, db.deleteFrom('buildings').where('id', '=', id)])
}

function refuseUnknownTimeZone(name: string): void {
  if (!isTimeZone(name)) throw errors.invalidValue(`timezone: no such time zone: ${name}`)
}
