import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/**
 * A room has one state, so its version need not be in the key: a step then writes no index. The long text comes last,
 * so that the other columns are read without it.
 */
export const oneState = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema.alterTable('control_states').renameTo('states_by_version').execute()
    await db.schema
      .createTable('control_states')
      .addColumn('room_id', 'text', (c) => c.primaryKey().references('rooms.id').onDelete('cascade'))
      .addColumn('version', time, (c) => c.notNull())
      .addColumn('kept_at', time)
      .addColumn('kept_gist', 'text')
      .addColumn('state', 'text', (c) => c.notNull())
      .execute()
    await sql`insert into control_states (room_id, version, kept_at, kept_gist, state)
      select room_id, version, kept_at, kept_gist, state from states_by_version as each
      where version = (select max(version) from states_by_version where room_id = each.room_id)`.execute(db)
    await db.schema.dropTable('states_by_version').execute()
  },
})
