import { sql } from 'kysely'

/**
 * For work that takes turns with all buildings: the database refuses what is written of one that is on its way to
 * another server, or has not wholly arrived, and a turn that failed at it would be lost to the others.
 */
export const isNotMoving = (buildingId: string) => sql<boolean>`not exists
  (select 1 from building_moves where building_moves.building_id = ${sql.ref(buildingId)} and stage <> 'moved')`
