import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** When a setpoint of a building's rooms next changes by itself. */
export const setpointChanges = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('buildings')
      .addColumn('setpoints_change_at', columnTypes(engine).time, (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('buildings_setpoints_change_at').on('buildings').column('setpoints_change_at').execute()
  },
})
