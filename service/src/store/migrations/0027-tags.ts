import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What people group buildings by, as JSON. */
export const tags = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('buildings').addColumn('tags', 'text').execute()
  },
})
