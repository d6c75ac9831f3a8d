import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Secret links under which the programme of a room is a calendar. */
export const programmeLinks = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('programme_links')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', time, (c) => c.notNull())
      .execute()
    await db.schema.createIndex('programme_links_account').on('programme_links').column('account_id').execute()
    await db.schema.createIndex('programme_links_room').on('programme_links').column('room_id').execute()
  },
})
