import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** What changes of its settings would have saved in a room, and the settings that were replayed (JSON). */
export const roomSavings = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('room_savings')
      .addColumn('room_id', 'text', (c) => c.primaryKey().references('rooms.id').onDelete('cascade'))
      .addColumn('replayed_at', time, (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('savings', 'text', (c) => c.notNull())
      .execute()
  },
})
