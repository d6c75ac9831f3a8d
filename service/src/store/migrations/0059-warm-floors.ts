import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the floor of a room has a minimum (JSON), and what its target is the temperature of. */
export const warmFloors = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('rooms').addColumn('floor_times', 'text').execute()
    await db.schema
      .alterTable('rooms')
      .addColumn('target_of', 'text', (c) => c.notNull().defaultTo('air'))
      .execute()
  },
})
