import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** The kWh of rooms and buildings as counters that never fall, and what each day of a room has in its counter. */
export const heatCounters = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { real } = columnTypes(engine)
    await db.schema.alterTable('room_heat').addColumn('counted_kwh', real).execute()
    for (const table of ['rooms', 'buildings'])
      await db.schema.alterTable(table).addColumn('heat_counter_kwh', real).execute()
  },
})
