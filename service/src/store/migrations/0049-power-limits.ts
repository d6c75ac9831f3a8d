import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A limit on the power of the heat source, and what it leaves each room. */
export const powerLimits = (): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const column of ['power_limit', 'grid_shares'])
      await db.schema.alterTable('buildings').addColumn(column, 'text').execute()
  },
})
