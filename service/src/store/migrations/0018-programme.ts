import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** The week plan and the override of a room, and absences that begin later or concern some rooms only. */
export const programme = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema.alterTable('rooms').addColumn('programme', 'text').execute()
    await db.schema.alterTable('rooms').addColumn('override', 'text').execute()
    await db.schema.alterTable('buildings').addColumn('away_from', time).execute()
    await db.schema.alterTable('buildings').addColumn('away_set_at', time).execute()
    await db.schema.alterTable('buildings').addColumn('away_rooms', 'text').execute()
  },
})
