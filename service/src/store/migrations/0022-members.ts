import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

/** A building has members. The account it belonged to becomes its owner. */
export const members = (engine: Engine): Migration => ({
  async up(db: Db) {
    const { time } = columnTypes(engine)
    await db.schema
      .createTable('members')
      .addColumn('building_id', 'text', (c) => c.notNull().references('buildings.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('rooms', 'text')
      .addColumn('ends_at', time)
      .addColumn('created_at', time, (c) => c.notNull())
      .addPrimaryKeyConstraint('members_key', ['building_id', 'account_id'])
      .execute()
    await db.schema.createIndex('members_account').on('members').columns(['account_id', 'building_id']).execute()
    await sql`insert into members (building_id, account_id, role, created_at)
      select id, account_id, 'owner', created_at from buildings`.execute(db)
    await addReaders(db)
    // Ids of the buildings a key is limited to, as JSON; empty: all of its holder.
    await db.schema.alterTable('api_keys').addColumn('buildings', 'text').execute()
    if (engine === 'postgres') await tellOfMembers(db)
  },
})

/** Alerts go to several people: each notification says to whom. */
async function addReaders(db: Db) {
  await db.schema
    .alterTable('tellings')
    .addColumn('account_id', 'text', (c) => c.references('user.id').onDelete('cascade'))
    .execute()
  await sql`update tellings set account_id = (select buildings.account_id from alerts
    join buildings on buildings.id = alerts.building_id where alerts.id = tellings.alert_id)`.execute(db)
  await db.schema.createIndex('tellings_account').on('tellings').column('account_id').execute()
}

/** The pages of the person concerned may be connected to another process. */
async function tellOfMembers(db: Db) {
  await sql`create function hypocaust_tell_member() returns trigger language plpgsql as $$
    begin
      perform pg_notify('hypocaust_building', json_build_object(
        'buildingId', coalesce(new.building_id, old.building_id),
        'accountId', coalesce(new.account_id, old.account_id))::text);
      return null;
    end $$`.execute(db)
  await sql`create trigger tell_member after insert or delete or update on members
    for each row execute function hypocaust_tell_member()`.execute(db)
}
