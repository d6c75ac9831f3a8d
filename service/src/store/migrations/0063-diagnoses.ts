import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** What the last days of a room say about possible faults (JSON); weighed together with the other rooms when it is read. */
export const diagnoses = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('room_examinations')
      .addColumn('room_id', 'text', (c) => c.primaryKey().references('rooms.id').onDelete('cascade'))
      .addColumn('examined_at', time, (c) => c.notNull())
      .addColumn('examination', 'text', (c) => c.notNull())
      .execute()
  },
})
