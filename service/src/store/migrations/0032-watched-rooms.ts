import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Since when a room is only watched while another thermostat heats it, and which gateways can leave a valve alone. */
export const watchedRooms = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('rooms').addColumn('watched_since', 'bigint').execute()
    await db.schema.alterTable('gateways').addColumn('watches', 'bigint').execute()
  },
})
