import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which covers are to be down against the sun now (JSON). */
export const covers = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('buildings').addColumn('cover_orders', 'text').execute()
  },
})
