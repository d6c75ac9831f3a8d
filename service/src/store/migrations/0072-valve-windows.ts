import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The window of the power that was last decided; null until the room is controlled. */
export const valveWindows = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('rooms').addColumn('control_window_s', 'integer').execute()
  },
})
