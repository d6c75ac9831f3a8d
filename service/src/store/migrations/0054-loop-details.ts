import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** What was built in for each loop, as a person has entered it. */
export const loopDetails = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { real } = columnTypes(engine)
    await db.schema
      .createTable('loop_details')
      .addColumn('gateway_id', 'text', (c) => c.notNull().references('gateways.id').onDelete('cascade'))
      .addColumn('channel', 'integer', (c) => c.notNull())
      .addColumn('length_m', real)
      .addColumn('spacing_mm', real)
      .addColumn('covering', 'text')
      .addColumn('design_flow', real)
      .addPrimaryKeyConstraint('loop_details_key', ['gateway_id', 'channel'])
      .execute()
  },
})
