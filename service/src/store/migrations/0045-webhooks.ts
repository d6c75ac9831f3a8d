import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

/** Addresses that are notified of events, how far each has read the change logs, and what was and is to be sent. */
export const webhooks = (engine: Engine): Migration => ({
  async up(db: Db) {
    await createWebhooks(db, engine)
    await createPositions(db, engine)
    await createDeliveries(db, engine)
  },
})

async function createWebhooks(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('disabled_at', time)
    .addColumn('numbered', time, (c) => c.notNull().defaultTo(0))
    .addColumn('settled', time, (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', time)
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('webhooks_account').on('webhooks').column('account_id').execute()
  await db.schema.createIndex('webhooks_due').on('webhooks').column('due_at').execute()
}

async function createPositions(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('webhook_positions')
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('building_id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('sequence', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('webhook_positions_key', ['webhook_id', 'building_id'])
    // A member who leaves and comes back is not sent what happened in between.
    .addForeignKeyConstraint(
      'webhook_positions_member',
      ['building_id', 'account_id'],
      'members',
      ['building_id', 'account_id'],
      (c) => c.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('webhook_positions_building')
    .on('webhook_positions')
    .columns(['building_id', 'account_id'])
    .execute()
}

async function createDeliveries(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('n', time, (c) => c.notNull())
    .addColumn('message_id', 'text', (c) => c.notNull())
    .addColumn('building_id', 'text', (c) => c.references('buildings.id').onDelete('cascade'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('payload', 'text')
    .addColumn('queued_at', time, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('tried_at', time)
    .addColumn('result', 'text')
    .addColumn('outcome', 'text')
    .addPrimaryKeyConstraint('webhook_deliveries_key', ['webhook_id', 'n'])
    // Of two processes that find the same event, one queues it.
    .addUniqueConstraint('webhook_deliveries_message', ['webhook_id', 'message_id'])
    .execute()
  await db.schema.createIndex('webhook_deliveries_queued_at').on('webhook_deliveries').column('queued_at').execute()
  await db.schema.createIndex('webhook_deliveries_building').on('webhook_deliveries').column('building_id').execute()
}
