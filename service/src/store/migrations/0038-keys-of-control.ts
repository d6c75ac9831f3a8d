import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Whether a key also opens the settings of the heating control. */
export const keysOfControl = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { bit } = columnTypes(engine)
    await db.schema
      .alterTable('api_keys')
      .addColumn('control', bit, (c) => c.notNull().defaultTo(0))
      .execute()
  },
})
