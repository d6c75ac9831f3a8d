import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** What a room is heated towards, as its last decision left it: the first line of the website says so in words. */
export const warming = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time, real } = columnTypes(engine)
    await db.schema.alterTable('rooms').addColumn('aim_c', real).execute()
    await db.schema.alterTable('rooms').addColumn('warming_for', time).execute()
  },
})
