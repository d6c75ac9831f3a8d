import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The water that the rooms of a building need, as last decided (JSON). */
export const supply = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('buildings').addColumn('supply_setpoint', 'text').execute()
  },
})
