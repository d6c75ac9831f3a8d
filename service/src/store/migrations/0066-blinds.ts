import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** On which sides of a room there are blinds, and above which temperature they are to be closed (JSON). */
export const blinds = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('rooms').addColumn('blinds', 'text').execute()
  },
})
