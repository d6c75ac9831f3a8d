import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Where rooms are in the building, and in which order people want to see them (ids as JSON). */
export const storeys = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('rooms').addColumn('storey', 'text').execute()
    await db.schema.alterTable('buildings').addColumn('room_order', 'text').execute()
  },
})
