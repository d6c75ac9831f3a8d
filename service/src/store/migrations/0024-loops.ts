import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Tests of loops: the one that runs, and what was confirmed of each loop. */
export const loops = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time, real } = columnTypes(engine)
    await db.schema.alterTable('buildings').addColumn('loop_run', 'text').execute()
    await db.schema.alterTable('buildings').addColumn('loop_run_due_at', time).execute()
    await db.schema.createIndex('buildings_loop_run_due').on('buildings').column('loop_run_due_at').execute()
    await db.schema
      .createTable('loop_tests')
      .addColumn('gateway_id', 'text', (c) => c.notNull().references('gateways.id').onDelete('cascade'))
      .addColumn('channel', 'integer', (c) => c.notNull())
      .addColumn('room_id', 'text', (c) => c.references('rooms.id').onDelete('cascade'))
      .addColumn('tested_at', time, (c) => c.notNull())
      .addColumn('certainty', real)
      .addPrimaryKeyConstraint('loop_tests_key', ['gateway_id', 'channel'])
      .execute()
    await db.schema.createIndex('loop_tests_room').on('loop_tests').column('room_id').execute()
  },
})
