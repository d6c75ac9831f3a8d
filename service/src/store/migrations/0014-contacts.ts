import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Window contacts of a building, and the room whose heating each pauses. */
export const contacts = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time, bit, real } = columnTypes(engine)
    await db.schema
      .createTable('contacts')
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('room_id', 'text', (c) => c.references('rooms.id').onDelete('set null'))
      .addColumn('is_open', bit, (c) => c.notNull())
      .addColumn('battery_pct', real)
      .addColumn('measured_at', time, (c) => c.notNull())
      .addPrimaryKeyConstraint('contacts_key', ['building_id', 'id'])
      .execute()
    await db.schema.createIndex('contacts_room').on('contacts').column('room_id').execute()
  },
})
