import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

/** What several processes must know of each other's work. */
export const processes = (engine: Engine): Migration => ({
  async up(db: Db) {
    await addFollowedRevision(db, engine)
    await addKeptDecision(db, engine)
    if (engine === 'sqlite') return
    await createRateWindows(db)
    await tellOfChanges(db)
  },
})

/** The last revision of a building that the control has followed: whatever is behind waits for some process. */
async function addFollowedRevision(db: Db, engine: Engine) {
  await db.schema
    .alterTable('buildings')
    .addColumn('followed_revision', columnTypes(engine).time, (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update buildings set followed_revision = revised_at`.execute(db)
  await db.schema.dropIndex('buildings_revised_at').execute()
  await sql`create index buildings_not_followed on buildings (id) where revised_at > followed_revision`.execute(db)
}

/** Beside the state, so that whichever process steps a room next knows what was last written down. */
async function addKeptDecision(db: Db, engine: Engine) {
  await db.schema.alterTable('control_states').addColumn('kept_at', columnTypes(engine).time).execute()
  await db.schema.alterTable('control_states').addColumn('kept_gist', 'text').execute()
}

/** Not logged: a crash of the database may forget a minute's counts, and no request waits for a flush. */
async function createRateWindows(db: Db) {
  await sql`create unlogged table rate_windows (
    name text primary key,
    ends_at bigint not null,
    used integer not null
  ) with (fillfactor = 50)`.execute(db)
  await sql`create index rate_windows_ends_at on rate_windows (ends_at)`.execute(db)
}

/** Announced by the database itself, at commit: so no writer can forget it, not even the command line. */
async function tellOfChanges(db: Db) {
  await sql`create function hypocaust_tell_building() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hypocaust_building', json_build_object(
        'buildingId', coalesce(new.id, old.id), 'accountId', coalesce(new.account_id, old.account_id))::text);
      return null;
    end $$`.execute(db)
  await sql`create trigger tell_building after insert or delete or update of revised_at on buildings
    for each row execute function hypocaust_tell_building()`.execute(db)
  await sql`create function hypocaust_tell_key() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hypocaust_key', json_build_object(
        'accountId', coalesce(new.account_id, old.account_id))::text);
      return null;
    end $$`.execute(db)
  await sql`create trigger tell_key after insert or delete or update of revoked_at on api_keys
    for each row execute function hypocaust_tell_key()`.execute(db)
}
