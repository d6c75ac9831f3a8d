import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Beside the revision of its settings, one of what the rooms of a building measure and do. */
export const liveRevision = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('buildings')
      .addColumn('live_revision', columnTypes(engine).time, (c) => c.notNull().defaultTo(0))
      .execute()
  },
})
