import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

export const alerts = (engine: Engine): Migration => ({
  async up(db: Db) {
    await createAlertTables(db, engine)
    await createNotificationTables(db, engine)
  },
})

async function createAlertTables(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .alterTable('buildings')
    .addColumn('alerts_checked_at', time, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('buildings_alerts_checked_at').on('buildings').column('alerts_checked_at').execute()
  await db.schema
    .createTable('alerts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
    .addColumn('room_id', 'text', (c) => c.references('rooms.id').onDelete('cascade'))
    .addColumn('subject', 'text', (c) => c.notNull())
    // The subject as long as it has not ended. Of two processes that see the same thing begin, one is refused.
    .addColumn('open_subject', 'text', (c) => c.unique())
    .addColumn('alert', 'text', (c) => c.notNull())
    .addColumn('began_at', time, (c) => c.notNull())
    .addColumn('absent_since', time)
    .addColumn('ended_at', time)
    .execute()
  await db.schema.createIndex('alerts_subject').on('alerts').columns(['subject', 'began_at']).execute()
  await db.schema.createIndex('alerts_ended_at').on('alerts').column('ended_at').execute()
  await db.schema.createIndex('alerts_building').on('alerts').columns(['building_id', 'began_at']).execute()
  await db.schema.createIndex('alerts_room').on('alerts').column('room_id').execute()
}

async function createNotificationTables(db: Db, engine: Engine) {
  const { time, bit } = columnTypes(engine)
  await db.schema
    .createTable('notification_choices')
    .addColumn('account_id', 'text', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('mail', bit, (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('muted', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('push_devices')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    // A session that ends takes its device along: a browser that was signed out gets no notifications.
    .addColumn('session_id', 'text', (c) => c.notNull().references('session.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', (c) => c.notNull().unique())
    .addColumn('p256dh', 'text', (c) => c.notNull())
    .addColumn('auth', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('push_devices_account').on('push_devices').column('account_id').execute()
  await db.schema.createIndex('push_devices_session').on('push_devices').column('session_id').execute()
  await db.schema
    .createTable('tellings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('alert_id', 'text', (c) => c.notNull().references('alerts.id').onDelete('cascade'))
    // Empty: by mail.
    .addColumn('device_id', 'text', (c) => c.references('push_devices.id').onDelete('cascade'))
    .addColumn('due_at', time)
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('began_told_at', time)
    .addColumn('ended_told_at', time)
    .execute()
  await db.schema.createIndex('tellings_due').on('tellings').column('due_at').execute()
  await db.schema.createIndex('tellings_alert').on('tellings').column('alert_id').execute()
  await db.schema.createIndex('tellings_device').on('tellings').column('device_id').execute()
}
