import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Calendars of buildings, what was read of them, and what they ask of the rooms together (JSON). */
export const calendars = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('calendars')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('address', 'text')
      .addColumn('rules', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('content', 'text')
      .addColumn('occurrences', 'text')
      .addColumn('etag', 'text')
      .addColumn('last_modified', 'text')
      .addColumn('checked_at', time)
      .addColumn('read_at', time)
      .addColumn('due_at', time, (c) => c.notNull())
      .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('problem', 'text')
      .execute()
    await db.schema.createIndex('calendars_building').on('calendars').column('building_id').execute()
    await db.schema.createIndex('calendars_due').on('calendars').column('due_at').execute()
    await db.schema.alterTable('buildings').addColumn('calendar_wishes', 'text').execute()
  },
})
