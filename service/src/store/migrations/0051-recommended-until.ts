import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Until when a heat pump is recommended to run, because plans store cheap heat. */
export const recommendedUntil = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('buildings').addColumn('recommended_until', columnTypes(engine).time).execute()
  },
})
