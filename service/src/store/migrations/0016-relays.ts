import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What each gateway last reported of its relays and of the heat source, as JSON. */
export const relays = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('gateways').addColumn('relay_report', 'text').execute()
    await db.schema.alterTable('gateways').addColumn('source_report', 'text').execute()
  },
})
