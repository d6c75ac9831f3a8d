import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** How warm a room was promised to be at a moment, and how warm it then was. */
export const promises = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time, real } = columnTypes(engine)
    await db.schema
      .createTable('promises')
      .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('due_at', time, (c) => c.notNull())
      .addColumn('setpoint_c', real, (c) => c.notNull())
      .addColumn('expected_c', real, (c) => c.notNull())
      .addColumn('measured_c', real)
      .addPrimaryKeyConstraint('promises_key', ['room_id', 'due_at'])
      .execute()
  },
})
