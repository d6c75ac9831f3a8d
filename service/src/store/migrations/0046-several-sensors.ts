import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** Sensors of a room beside its first one (JSON), and those that measured it before. */
export const severalSensors = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(engine)
    await db.schema.alterTable('rooms').addColumn('other_sensors', 'text').execute()
    await db.schema
      .createTable('former_sensors')
      .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('until_at', time, (c) => c.notNull())
      .addColumn('sensor_id', 'text', (c) => c.notNull())
      .addColumn('other_sensors', 'text')
      .addPrimaryKeyConstraint('former_sensors_key', ['room_id', 'until_at'])
      .execute()
  },
})
