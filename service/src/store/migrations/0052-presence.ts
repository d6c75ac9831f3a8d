import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Who is home now and what follows from it (JSON), who uses a room, and how far a room may cool meanwhile. */
export const presence = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { real } = columnTypes(engine)
    await db.schema.alterTable('buildings').addColumn('presence', 'text').execute()
    await db.schema.alterTable('buildings').addColumn('presence_rule', 'text').execute()
    await db.schema.alterTable('rooms').addColumn('used_by', 'text').execute()
    await db.schema.alterTable('rooms').addColumn('warm_again_k', real).execute()
  },
})
