import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/**
 * A sensor is identified by its building and its address: neighbours hear each other's sensors. `id` stays what the
 * history refers to, so that no row of it has to be rewritten; those of before have their address as their id.
 */
export const sensorsInBuildings = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .alterTable('sensors')
      .addColumn('address', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable('sensors').addColumn('received_at', time).execute()
    await sql`update sensors set address = id, received_at = measured_at`.execute(db)
    await db.schema.createIndex('sensors_address').on('sensors').columns(['building_id', 'address']).unique().execute()
  },
})
