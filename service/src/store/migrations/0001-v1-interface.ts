import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

export const v1Interface = (engine: Engine): Migration => ({
  async up(db: Db) {
    await createAccountTables(db, engine)
    await createBuildingTables(db, engine)
    await createRoomTables(db, engine)
    await createKeyTable(db, engine)
  },
})

/** The tables better-auth works on, in its own spelling. */
async function createAccountTables(db: Db, engine: Engine) {
  const { authDate, authFlag } = columnTypes(engine)
  await db.schema
    .createTable('user')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('emailVerified', authFlag, (c) => c.notNull())
    .addColumn('image', 'text')
    .addColumn('createdAt', authDate, (c) => c.notNull())
    .addColumn('updatedAt', authDate, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('token', 'text', (c) => c.notNull().unique())
    .addColumn('expiresAt', authDate, (c) => c.notNull())
    .addColumn('ipAddress', 'text')
    .addColumn('userAgent', 'text')
    .addColumn('createdAt', authDate, (c) => c.notNull())
    .addColumn('updatedAt', authDate, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('accountId', 'text', (c) => c.notNull())
    .addColumn('providerId', 'text', (c) => c.notNull())
    .addColumn('accessToken', 'text')
    .addColumn('refreshToken', 'text')
    .addColumn('idToken', 'text')
    .addColumn('accessTokenExpiresAt', authDate)
    .addColumn('refreshTokenExpiresAt', authDate)
    .addColumn('scope', 'text')
    .addColumn('password', 'text')
    .addColumn('createdAt', authDate, (c) => c.notNull())
    .addColumn('updatedAt', authDate, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('verification')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('identifier', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('expiresAt', authDate, (c) => c.notNull())
    .addColumn('createdAt', authDate, (c) => c.notNull())
    .addColumn('updatedAt', authDate, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('session_user').on('session').column('userId').execute()
  await db.schema.createIndex('account_user').on('account').column('userId').execute()
  await db.schema.createIndex('verification_identifier').on('verification').column('identifier').execute()
}

async function createBuildingTables(db: Db, engine: Engine) {
  const { time, real } = columnTypes(engine)
  await db.schema
    .createTable('buildings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('lat', real, (c) => c.notNull())
    .addColumn('lng', real, (c) => c.notNull())
    .addColumn('timezone', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addUniqueConstraint('buildings_key', ['account_id', 'key'])
    .execute()
  await db.schema
    .createTable('weather')
    .addColumn('building_id', 'text', (c) => c.primaryKey().references('buildings.id').onDelete('cascade'))
    .addColumn('updated_at', time, (c) => c.notNull())
    .addColumn('temperature_c', real, (c) => c.notNull())
    .addColumn('cloud_pct', real, (c) => c.notNull())
    .addColumn('wind_deg', real, (c) => c.notNull())
    .addColumn('wind_ms', real, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('gateways')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('last_seen_at', time)
    .addUniqueConstraint('gateways_key', ['building_id', 'key'])
    .execute()
}

async function createRoomTables(db: Db, engine: Engine) {
  const { time, real, bit } = columnTypes(engine)
  await db.schema
    .createTable('sensors')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('temperature_c', real)
    .addColumn('humidity_pct', real)
    .addColumn('battery_pct', real)
    .addColumn('rssi_dbm', real)
    .addColumn('measured_at', time)
    // What rooms refer to: a room's sensor is one of the same building, by the database's own word.
    .addUniqueConstraint('sensors_in_building', ['building_id', 'id'])
    .execute()
  await db.schema
    .createTable('rooms')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('floor_type', 'text', (c) => c.notNull())
    .addColumn('sensor_id', 'text', (c) => c.notNull())
    .addColumn('floor_sensor_id', 'text')
    .addColumn('area_m2', real)
    .addColumn('target_c', real, (c) => c.notNull())
    .addColumn('preset_mode', 'text', (c) => c.notNull())
    .addColumn('manual_enabled', bit, (c) => c.notNull())
    .addColumn('manual_power', real, (c) => c.notNull())
    .addColumn('comfort_band_k', real, (c) => c.notNull())
    .addColumn('night_mode', 'text')
    .addColumn('max_floor_c', real, (c) => c.notNull())
    .addColumn('control_power', real, (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addUniqueConstraint('rooms_key', ['building_id', 'key'])
    .addForeignKeyConstraint('rooms_sensor', ['building_id', 'sensor_id'], 'sensors', ['building_id', 'id'])
    .addForeignKeyConstraint('rooms_floor_sensor', ['building_id', 'floor_sensor_id'], 'sensors', ['building_id', 'id'])
    .addCheckConstraint('rooms_target', sql`target_c between 7 and 35`)
    .addCheckConstraint('rooms_manual_power', sql`manual_power between 0 and 1`)
    .execute()
  await db.schema.createIndex('rooms_sensor_id').on('rooms').columns(['building_id', 'sensor_id']).execute()
  await db.schema
    .createTable('valves')
    .addColumn('gateway_id', 'text', (c) => c.notNull().references('gateways.id').onDelete('cascade'))
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('valves_channel', ['gateway_id', 'channel'])
    .execute()
  await db.schema.createIndex('valves_room').on('valves').column('room_id').execute()
}

async function createKeyTable(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('permission', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('last_used_at', time)
    .addColumn('expires_at', time)
    .addColumn('revoked_at', time)
    .execute()
  await db.schema.createIndex('api_keys_account').on('api_keys').column('account_id').execute()
}
