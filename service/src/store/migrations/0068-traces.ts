import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The trace of the request that last changed settings or structure of a building, where one was recorded. */
export const traces = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('buildings').addColumn('revised_trace', 'text').execute()
  },
})
