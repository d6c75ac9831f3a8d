import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

export const heating = (engine: Engine): Migration => ({
  async up(db: Db) {
    await extendBuildingsAndRooms(db, engine)
    await createControlTables(db, engine)
    await createForecastTable(db, engine)
  },
})

async function extendBuildingsAndRooms(db: Db, engine: Engine) {
  const { time, real, bit } = columnTypes(engine)
  await db.schema
    .alterTable('buildings')
    .addColumn('frost_protection', bit, (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('buildings').addColumn('away_until', time).execute()
  await db.schema.alterTable('buildings').addColumn('away_c', real).execute()
  await db.schema
    .alterTable('buildings')
    .addColumn('controlled_at', time, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('buildings_controlled_at').on('buildings').column('controlled_at').execute()
  await db.schema.alterTable('rooms').addColumn('controlled_wish', 'text').execute()
  await db.schema.alterTable('rooms').addColumn('fallback_power', real).execute()
  await db.schema
    .alterTable('rooms')
    .addColumn('fitted_at', time, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('rooms_fitted_at').on('rooms').column('fitted_at').execute()
}

async function createControlTables(db: Db, engine: Engine) {
  const { time, real } = columnTypes(engine)
  const tail = engine === 'sqlite' ? sql`without rowid` : sql``
  await db.schema
    .createTable('control_states')
    .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('version', time, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    // Two processes that step a room from the same version both write the next one, and one of them is refused.
    .addPrimaryKeyConstraint('control_states_version', ['room_id', 'version'])
    .execute()
  await db.schema
    .createTable('decisions')
    .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('decided_at', time, (c) => c.notNull())
    .addColumn('power', real, (c) => c.notNull())
    .addColumn('target_c', real, (c) => c.notNull())
    .addColumn('decision', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('decisions_at', ['room_id', 'decided_at'])
    .modifyEnd(tail)
    .execute()
  await db.schema.createIndex('decisions_decided_at').on('decisions').column('decided_at').execute()
  await db.schema
    .createTable('room_slots')
    .addColumn('room_id', 'text', (c) => c.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('ends_at', time, (c) => c.notNull())
    .addColumn('slot', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('room_slots_end', ['room_id', 'ends_at'])
    .modifyEnd(tail)
    .execute()
  await db.schema.createIndex('room_slots_ends_at').on('room_slots').column('ends_at').execute()
}

/** One row per patch of land: neighbours share it. */
async function createForecastTable(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('forecasts')
    .addColumn('place', 'text', (c) => c.primaryKey())
    .addColumn('updated_at', time, (c) => c.notNull())
    .addColumn('due_at', time, (c) => c.notNull())
    .addColumn('last_modified', 'text')
    .addColumn('forecast', 'text')
    .execute()
}
