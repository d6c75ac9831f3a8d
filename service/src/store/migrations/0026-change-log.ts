import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Who changed what, from what to what, and when. */
export const changeLog = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('change_log')
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('sequence', time, (c) => c.notNull())
      .addColumn('changed_at', time, (c) => c.notNull())
      .addColumn('actor_kind', 'text', (c) => c.notNull())
      .addColumn('actor_name', 'text', (c) => c.notNull())
      .addColumn('actor_role', 'text')
      .addColumn('actor_account_id', 'text')
      // No references: an entry outlives the room, gateway, account or key it is about.
      .addColumn('room_id', 'text')
      .addColumn('subject_id', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('field', 'text', (c) => c.notNull())
      .addColumn('old_value', 'text')
      .addColumn('new_value', 'text')
      .addPrimaryKeyConstraint('change_log_key', ['building_id', 'sequence'])
      .execute()
    await db.schema.createIndex('change_log_changed_at').on('change_log').column('changed_at').execute()
  },
})
