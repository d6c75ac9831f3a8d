import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How long the target of a room counts before its programme and an absence (JSON); null: not at all. */
export const targetHold = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('rooms').addColumn('target_hold', 'text').execute()
  },
})
