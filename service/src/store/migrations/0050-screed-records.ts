import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the heat-up of a screed was, entry by entry, each bound to the one before it by its hash. */
export const screedRecords = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('screed_records')
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('run_id', 'text', (c) => c.notNull())
      .addColumn('n', 'integer', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('screed_records_key', ['building_id', 'run_id', 'n'])
      .execute()
  },
})
