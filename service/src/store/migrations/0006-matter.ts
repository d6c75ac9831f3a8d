import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** What a running Matter bridge tells of itself, for the website to show. */
export const matter = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('matter_bridges')
      .addColumn('building_id', 'text', (c) => c.primaryKey().references('buildings.id').onDelete('cascade'))
      .addColumn('manual_code', 'text', (c) => c.notNull())
      .addColumn('qr_payload', 'text', (c) => c.notNull())
      .addColumn('controllers', 'integer', (c) => c.notNull())
      .addColumn('seen_at', time, (c) => c.notNull())
      .execute()
  },
})
