import type { Compilable, Selectable, Updateable } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { BuildingTable } from '../../store/tables/building.ts'
import type { Actor } from '../change-log/actor.ts'
import { isBuildingAsSeen, recordBuilding } from '../change-log/record-settings.ts'
import { raiseRevision } from '../revisions.ts'

interface UpdateOptions {
  /** Nothing is written unless the building has these values still. */
  seen?: Partial<Selectable<BuildingTable>> | undefined
  /** Unless it is the one who acts now. */
  actor?: Actor
}

/** With the building's revision, which comes first, and its entries of the change log; the update comes last. */
export function updateBuilding(
  store: Store,
  nowMs: number,
  buildingId: string,
  changes: Updateable<BuildingTable>,
  { seen, actor }: UpdateOptions = {},
): Compilable[] {
  const revised = raiseRevision.with(store, { buildingId, nowMs })
  if (Object.keys(changes).length === 0) return [revised]
  const entries = recordBuilding(store, nowMs, buildingId, changes as Recorded, { seen, actor })
  const update = store.db.updateTable('buildings').set(changes).where('id', '=', buildingId)
  return [revised, ...entries, seen ? update.where(isBuildingAsSeen(seen)) : update]
}

type Recorded = Parameters<typeof recordBuilding>[3]
