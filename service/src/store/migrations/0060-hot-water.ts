import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The tank of a building as people set it, and what the control knows and plans of it (JSON). */
export const hotWater = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('buildings').addColumn('hot_water', 'text').execute()
    await db.schema.alterTable('buildings').addColumn('hot_water_state', 'text').execute()
  },
})
