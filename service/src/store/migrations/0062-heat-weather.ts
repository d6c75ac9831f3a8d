import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** How warm it was indoors and outdoors on each counted day: weeks with the same weather can be compared years later. */
export const heatWeather = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { real } = columnTypes(engine)
    await db.schema.alterTable('room_heat').addColumn('air_c', real).execute()
    await db.schema.alterTable('room_heat').addColumn('outdoor_c', real).execute()
  },
})
