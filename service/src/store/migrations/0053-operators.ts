import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

/** People who run the service, what each of them did, and the last errors of all processes. */
export const operators = (engine: Engine): Migration => ({
  async up(db: Db) {
    await createOperators(db, engine)
    await createActs(db, engine)
    await createErrors(db, engine)
  },
})

async function createOperators(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('operators')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('enrolment', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('signed_in_at', time)
    .execute()
  await db.schema
    .createTable('operator_sessions')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('operator_id', 'text', (c) => c.notNull().references('operators.id').onDelete('cascade'))
    .addColumn('ends_at', time, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('operator_sessions_operator').on('operator_sessions').column('operator_id').execute()
}

/** Rows are added and never changed: the database itself refuses it. */
async function createActs(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('operator_acts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('acted_at', time, (c) => c.notNull())
    .addColumn('operator', 'text', (c) => c.notNull())
    .addColumn('act', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .execute()
  if (engine === 'sqlite') {
    for (const change of ['update', 'delete'])
      await sql`create trigger ${sql.id(`operator_acts_no_${change}`)} before ${sql.raw(change)} on operator_acts
        begin select raise(abort, 'what operators did is not changed'); end`.execute(db)
    // A replaced row is deleted without the trigger of deletions.
    await sql`create trigger operator_acts_no_replacement before insert on operator_acts
      when exists (select 1 from operator_acts where id = new.id or rowid = new.rowid)
      begin select raise(abort, 'what operators did is not changed'); end`.execute(db)
    return
  }
  await sql`create or replace function hypocaust_refuse_change() returns trigger language plpgsql as $$
    begin raise exception 'what operators did is not changed'; end $$`.execute(db)
  await sql`create trigger operator_acts_kept before update or delete or truncate on operator_acts
    for each statement execute function hypocaust_refuse_change()`.execute(db)
}

async function createErrors(db: Db, engine: Engine) {
  const { time } = columnTypes(engine)
  await db.schema
    .createTable('request_errors')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('failed_at', time, (c) => c.notNull())
    .addColumn('machine', 'text', (c) => c.notNull())
    .addColumn('request_id', 'text', (c) => c.notNull())
    .addColumn('route', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('request_errors_failed_at').on('request_errors').column('failed_at').execute()
}
