import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** When a room was too cold or too warm for a person in it, at most once an hour. */
export const comfortVotes = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time, real } = columnTypes(engine)
    await db.schema
      .createTable('comfort_votes')
      .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('hour_at', time, (c) => c.notNull())
      .addColumn('pressed_at', time, (c) => c.notNull())
      .addColumn('feeling', 'text', (c) => c.notNull())
      .addColumn('setpoint_c', real, (c) => c.notNull())
      .addColumn('temperature_c', real)
      .addPrimaryKeyConstraint('comfort_votes_key', ['room_id', 'hour_at'])
      .execute()
  },
})
