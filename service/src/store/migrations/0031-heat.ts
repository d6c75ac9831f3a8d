import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

/** The heat of each room by the day, the counters of meters, what the heat source was learned to be, and monthly mails. */
export const heat = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const { time, real, bit } = columnTypes(engine)
    await db.schema
      .createTable('room_heat')
      .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('kwh_m2', real, (c) => c.notNull())
      .addColumn('spread', real, (c) => c.notNull())
      .addColumn('hours', 'text', (c) => c.notNull())
      .addColumn('cost_m2', real)
      .addPrimaryKeyConstraint('room_heat_key', ['room_id', 'day'])
      .execute()
    await db.schema
      .alterTable('rooms')
      .addColumn('heat_counted_at', time, (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('rooms_heat_counted').on('rooms').column('heat_counted_at').execute()
    await db.schema
      .createTable('meter_readings')
      .addColumn('gateway_id', 'text', (c) => c.notNull().references('gateways.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('hour_at', time, (c) => c.notNull())
      .addColumn('read_at', time, (c) => c.notNull())
      .addColumn('kwh', real, (c) => c.notNull())
      .addPrimaryKeyConstraint('meter_readings_key', ['gateway_id', 'kind', 'hour_at'])
      .execute()
    await db.schema.alterTable('buildings').addColumn('learned_source', 'text').execute()
    await db.schema
      .alterTable('notification_choices')
      .addColumn('monthly', bit, (c) => c.notNull().defaultTo(1))
      .execute()
    await db.schema
      .createTable('monthly_mails')
      .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('month', 'text', (c) => c.notNull())
      .addColumn('due_at', time)
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('monthly_mails_key', ['account_id', 'building_id', 'month'])
      .execute()
    await db.schema.createIndex('monthly_mails_due').on('monthly_mails').column('due_at').execute()
    await db.schema.createIndex('monthly_mails_building').on('monthly_mails').column('building_id').execute()
  },
})
