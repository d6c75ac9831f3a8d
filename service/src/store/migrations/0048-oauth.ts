import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

/** Apps of third parties, what people grant them, and the codes by which they get it. */
export const oauth = (engine: Engine): Migration => ({
  async up(db: Db) {
    await createClients(db, engine)
    await createGrants(db, engine)
    await createCodes(db, engine)
    await createDevices(db, engine)
  },
})

async function createClients(db: Db, engine: Engine) {
  const { time, bit } = columnTypes(engine)
  await db.schema
    .createTable('oauth_clients')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('redirect_uris', 'text', (c) => c.notNull())
    .addColumn('is_self_registered', bit, (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .execute()
}

/** A grant is a key of its account; what it reaches ends with the membership it was granted by. */
async function createGrants(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .alterTable('api_keys')
    .addColumn('client_id', 'text', (c) => c.references('oauth_clients.id').onDelete('cascade'))
    .execute()
  await db.schema.alterTable('api_keys').addColumn('grant_ends_at', time).execute()
  await db.schema.createIndex('api_keys_client').on('api_keys').column('client_id').execute()
  await db.schema
    .createTable('oauth_buildings')
    .addColumn('key_id', 'text', (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('building_id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('permission', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('oauth_buildings_key', ['key_id', 'building_id'])
    .addForeignKeyConstraint(
      'oauth_buildings_member',
      ['building_id', 'account_id'],
      'members',
      ['building_id', 'account_id'],
      (c) => c.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('oauth_buildings_member')
    .on('oauth_buildings')
    .columns(['building_id', 'account_id'])
    .execute()
  await db.schema
    .createTable('oauth_refresh_tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('replaced_at', time)
    .execute()
  await db.schema.createIndex('oauth_refresh_tokens_key_id').on('oauth_refresh_tokens').column('key_id').execute()
}

async function createCodes(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('oauth_codes')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('client_id', 'text', (c) => c.notNull().references('oauth_clients.id').onDelete('cascade'))
    .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('redirect_uri', 'text', (c) => c.notNull())
    .addColumn('challenge', 'text', (c) => c.notNull())
    .addColumn('buildings', 'text', (c) => c.notNull())
    .addColumn('expires_at', time, (c) => c.notNull())
    .addColumn('key_id', 'text')
    .execute()
  for (const column of ['client_id', 'account_id', 'expires_at'])
    await db.schema.createIndex(`oauth_codes_${column}`).on('oauth_codes').column(column).execute()
}

async function createDevices(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('oauth_devices')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('user_code', 'text', (c) => c.notNull().unique())
    .addColumn('client_id', 'text', (c) => c.notNull().references('oauth_clients.id').onDelete('cascade'))
    .addColumn('permission', 'text', (c) => c.notNull())
    .addColumn('expires_at', time, (c) => c.notNull())
    .addColumn('interval_s', 'integer', (c) => c.notNull())
    .addColumn('asked_at', time)
    .addColumn('account_id', 'text', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('buildings', 'text')
    .addColumn('key_id', 'text')
    .execute()
  for (const column of ['client_id', 'account_id', 'expires_at'])
    await db.schema.createIndex(`oauth_devices_${column}`).on('oauth_devices').column(column).execute()
}
