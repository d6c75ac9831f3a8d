import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Until when an open alert stays out of the way. */
export const snoozedAlerts = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema.alterTable('alerts').addColumn('snoozed_until', time).execute()
  },
})
