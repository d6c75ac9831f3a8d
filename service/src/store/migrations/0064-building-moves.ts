import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

/** Buildings that move between databases, and those that have left (ADR 48). */
export const buildingMoves = (engine: Engine): Migration => ({
  async up(db: Db) {
    await createTables(db, engine)
    await db.schema
      .alterTable('gateways')
      .addColumn('epoch_offset', columnTypes(engine).time, (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('gateways').addColumn('follows_moves', columnTypes(engine).bit).execute()
  },
})

async function createTables(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('building_moves')
    .addColumn('building_id', 'text', (c) => c.primaryKey())
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('url', 'text')
    .addColumn('broker_url', 'text')
    .addColumn('since', time, (c) => c.notNull())
    .addColumn('announced_at', time)
    .execute()
  await sql`create index building_moves_under_way on building_moves (building_id) where stage <> 'moved'`.execute(db)
  await sql`create index building_moves_unannounced on building_moves (since) where announced_at is null`.execute(db)
  await db.schema
    .createTable('moved_members')
    .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('building_id', 'text', (c) => c.notNull())
    .addColumn('ends_at', time)
    .addPrimaryKeyConstraint('moved_members_key', ['account_id', 'building_id'])
    .execute()
  await db.schema
    .createTable('moved_gateways')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('building_id', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('mqtt_hash', 'text')
    .execute()
  await db.schema.createIndex('moved_gateways_building').on('moved_gateways').column('building_id').execute()
}
