import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** What a power limit of a building was expected to bring, and what it brought. */
export const limitRecords = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time, real, bit } = columnTypes(engine)
    await db.schema
      .createTable('limit_records')
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('promised_at', time, (c) => c.notNull())
      .addColumn('from_at', time, (c) => c.notNull())
      .addColumn('until_at', time, (c) => c.notNull())
      .addColumn('limit_w', real, (c) => c.notNull())
      .addColumn('room_ids', 'text', (c) => c.notNull())
      .addColumn('planned_kwh', real, (c) => c.notNull())
      .addColumn('promised_kwh', real, (c) => c.notNull())
      .addColumn('scale', real, (c) => c.notNull())
      .addColumn('withdrawn', bit, (c) => c.notNull())
      .addColumn('due_at', time)
      .addColumn('taken_kwh', real)
      .addColumn('metered_kwh', real)
      .addPrimaryKeyConstraint('limit_records_key', ['building_id', 'promised_at'])
      .execute()
    await db.schema.createIndex('limit_records_due').on('limit_records').column('due_at').execute()
  },
})
