import type { HotWaterPut } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { HOT_WATER_COLUMNS, hotWaterColumns, hotWaterProblemOf } from '../hot-water/settings.ts'
import { hotWaterView } from '../hot-water/view.ts'
import type { Availability } from './buildings.ts'
import { updateBuilding } from './write.ts'

const buildingOf = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('buildings')
    .select([...HOT_WATER_COLUMNS, 'timezone'])
    .where('id', '=', buildingId),
)

const gatewaysOf = statement((db, { buildingId }: { buildingId: string }) =>
  db.selectFrom('gateways').select(['sourceReport', 'lastSeenAt']).where('buildingId', '=', buildingId),
)

/** Settings and state of the hot water of a building. */
export async function hotWaterOf(store: Store, buildingId: string, availability: Availability, nowMs: number) {
  const building = await buildingOf.first(store, { buildingId })
  if (!building) throw errors.noSuchBuilding(buildingId)
  return hotWaterView(building, await gatewaysOf.all(store, { buildingId }), availability, nowMs)
}

/** As it is stored, for a change that is conditional on it. */
export async function storedHotWater(store: Store, buildingId: string): Promise<string | null> {
  const building = await buildingOf.first(store, { buildingId })
  if (!building) throw errors.noSuchBuilding(buildingId)
  return building.hotWater
}

/** With `seen`, only while this is what is set. */
export async function putHotWater(
  store: Store,
  clock: Clock,
  buildingId: string,
  { settings }: HotWaterPut,
  seen?: { hotWater: string | null },
): Promise<void> {
  const problem = hotWaterProblemOf(settings)
  if (problem) throw errors.invalidValue(problem)
  const changes = hotWaterColumns(settings)
  const results = await store.batch(updateBuilding(store, clock.now(), buildingId, changes, { seen }))
  if (seen && results.at(-1)?.affectedRows === 0) throw errors.preconditionFailed('hot water settings')
}
