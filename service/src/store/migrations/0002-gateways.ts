import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

export const gateways = (engine: Engine): Migration => ({
  async up(db: Db) {
    await extendBuildings(db, engine)
    await extendGateways(db, engine)
    await createMessageTables(db, engine)
    await createHistoryTables(db, engine)
  },
})

async function extendBuildings(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .alterTable('buildings')
    .addColumn('revised_at', time, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('buildings_revised_at').on('buildings').column('revised_at').execute()
  await db.schema
    .createTable('meta')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text')
    .execute()
  await sql`insert into meta (name, value) values ('epoch', '1')`.execute(db)
}

async function extendGateways(db: Db, engine: Engine) {
  const { time, bit } = columnTypes(engine)
  const add = (name: string, type: 'text' | 'integer' | typeof time | typeof bit) =>
    db.schema.alterTable('gateways').addColumn(name, type).execute()
  await add('mqtt_hash', 'text')
  await add('state', 'text')
  await add('boot', 'text')
  await add('version', 'text')
  await add('channels', 'integer')
  await add('clock_ok', bit)
  await add('buffered', 'integer')
  await db.schema
    .alterTable('gateways')
    .addColumn('command_seq', time, (c) => c.notNull().defaultTo(0))
    .execute()
  await add('command', 'text')
  await add('command_due_at', time)
  await add('acked_seq', time)
  await add('acked_epoch', time)
  await add('ack_result', 'text')
  await db.schema
    .alterTable('gateways')
    .addColumn('config_revision', time, (c) => c.notNull().defaultTo(0))
    .execute()
  await add('config', 'text')
  await add('confirmed_revision', time)
  await db.schema.createIndex('gateways_command_due_at').on('gateways').column('command_due_at').execute()
  await db.schema
    .createTable('pairing_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey())
    .addColumn('gateway_id', 'text', (c) => c.notNull().references('gateways.id').onDelete('cascade'))
    .addColumn('expires_at', time, (c) => c.notNull())
    .execute()
}

/** What has been taken in already, and what the valves have done. */
async function createMessageTables(db: Db, engine: Engine) {
  const { time, real } = columnTypes(engine)
  const tail = engine === 'sqlite' ? sql`without rowid` : sql``
  await db.schema
    .createTable('gateway_messages')
    .addColumn('gateway_id', 'text', (c) => c.notNull().references('gateways.id').onDelete('cascade'))
    .addColumn('boot', 'text', (c) => c.notNull())
    .addColumn('n', time, (c) => c.notNull())
    .addColumn('received_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('gateway_messages_once', ['gateway_id', 'boot', 'n'])
    .modifyEnd(tail)
    .execute()
  await db.schema.createIndex('gateway_messages_received_at').on('gateway_messages').column('received_at').execute()
  await db.schema
    .createTable('valve_windows')
    .addColumn('gateway_id', 'text', (c) => c.notNull().references('gateways.id').onDelete('cascade'))
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('started_at', time, (c) => c.notNull())
    .addColumn('window_s', real, (c) => c.notNull())
    .addColumn('open_s', real, (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('valve_windows_once', ['gateway_id', 'channel', 'started_at', 'source'])
    .modifyEnd(tail)
    .execute()
  await db.schema.createIndex('valve_windows_started_at').on('valve_windows').column('started_at').execute()
}

async function createHistoryTables(db: Db, engine: Engine) {
  const { time, real } = columnTypes(engine)
  const tail = engine === 'sqlite' ? sql`without rowid` : sql``
  await db.schema
    .createTable('readings')
    .addColumn('building_id', 'text', (c) => c.notNull())
    .addColumn('sensor_id', 'text', (c) => c.notNull())
    .addColumn('measured_at', time, (c) => c.notNull())
    .addColumn('temperature_c', real, (c) => c.notNull())
    .addColumn('humidity_pct', real)
    .addPrimaryKeyConstraint('readings_once', ['sensor_id', 'measured_at'])
    // Also refuses a reading of a sensor that went to another building a moment ago.
    .addForeignKeyConstraint('readings_sensor', ['building_id', 'sensor_id'], 'sensors', ['building_id', 'id'], (fk) =>
      fk.onDelete('cascade'),
    )
    .modifyEnd(tail)
    .execute()
  await db.schema.createIndex('readings_measured_at').on('readings').column('measured_at').execute()
  for (const table of ['readings_five_minute', 'readings_hourly']) {
    await db.schema
      .createTable(table)
      .addColumn('sensor_id', 'text', (c) => c.notNull().references('sensors.id').onDelete('cascade'))
      .addColumn('starts_at', time, (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('mean_c', real, (c) => c.notNull())
      .addColumn('min_c', real, (c) => c.notNull())
      .addColumn('max_c', real, (c) => c.notNull())
      .addColumn('humidity_count', 'integer', (c) => c.notNull())
      .addColumn('humidity_pct', real)
      .addPrimaryKeyConstraint(`${table}_once`, ['sensor_id', 'starts_at'])
      .modifyEnd(tail)
      .execute()
    await db.schema.createIndex(`${table}_starts_at`).on(table).column('starts_at').execute()
  }
}
