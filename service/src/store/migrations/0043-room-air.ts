import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The coldest surface of a room, what is remembered of its humidity (JSON), and what may be done against mould. */
export const roomAir = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('rooms')
      .addColumn('surface_factor', 'double precision', (c) => c.notNull().defaultTo(0.7))
      .execute()
    await db.schema
      .alterTable('rooms')
      .addColumn('mould_warming_k', 'double precision', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('rooms').addColumn('surface_record', 'text').execute()
  },
})
