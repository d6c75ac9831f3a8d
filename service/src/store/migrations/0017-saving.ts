import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Whether the rooms of a building may use their whole comfort band to save heat. */
export const saving = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { bit } = columnTypes(engine)
    await db.schema
      .alterTable('buildings')
      .addColumn('saving', bit, (c) => c.notNull().defaultTo(0))
      .execute()
  },
})
