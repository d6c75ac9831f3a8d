import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The picture of a room on pages; null: by its name. */
export const roomIcons = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('rooms').addColumn('icon', 'text').execute()
  },
})
