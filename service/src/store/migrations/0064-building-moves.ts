import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, type Engine } from './types.ts'

type Db = Kysely<unknown>

/**
 * Buildings that move between databases, and those that have left (ADR 48). On PostgreSQL the database itself refuses
 * what others write of a building while it moves.
 */
export const buildingMoves = (engine: Engine): Migration => ({
  async up(db: Db) {
    await createTables(db, engine)
    await db.schema
      .alterTable('gateways')
      .addColumn('epoch_offset', columnTypes(engine).time, (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('gateways').addColumn('follows_moves', columnTypes(engine).bit).execute()
    if (engine === 'postgres') await createFence(db)
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

/** Whose rows a table has, and what is refused. Rows that only age are deleted for many buildings at a time. */
type Fenced = [table: string, of: 'self' | 'building' | 'room' | 'gateway' | 'account', events: Events]
type Events = 'insert or update or delete' | 'insert or update'

const ALL = 'insert or update or delete'
const GROWS = 'insert or update'

const FENCED: Fenced[] = [
  ['buildings', 'self', ALL],
  ['members', 'building', ALL],
  ['rooms', 'building', ALL],
  ['gateways', 'building', ALL],
  ['contacts', 'building', ALL],
  ['valves', 'gateway', ALL],
  ['loop_details', 'gateway', ALL],
  ['loop_tests', 'gateway', ALL],
  ['api_keys', 'account', ALL],
  ['sensors', 'building', GROWS],
  ['weather', 'building', GROWS],
  ['alerts', 'building', GROWS],
  ['change_log', 'building', GROWS],
  ['screed_records', 'building', GROWS],
  ['monthly_mails', 'building', GROWS],
  ['readings', 'building', GROWS],
  ['control_states', 'room', GROWS],
  ['decisions', 'room', GROWS],
  ['room_slots', 'room', GROWS],
  ['room_heat', 'room', GROWS],
  ['room_savings', 'room', GROWS],
  ['promises', 'room', GROWS],
  ['comfort_votes', 'room', GROWS],
  ['former_sensors', 'room', GROWS],
  ['valve_windows', 'gateway', GROWS],
  ['meter_readings', 'gateway', GROWS],
  ['gateway_messages', 'gateway', GROWS],
]

/** By these the service takes turns with many buildings or rooms: one that moves must not hold up the others. */
const NOTES = '{alerts_checked_at,controlled_at,fitted_at,heat_counted_at,last_used_at}'

/** After the row: whoever waits for all writes under way then finds the transaction that passed the check before. */
async function createFence(db: Db) {
  await sql`create or replace function hypocaust_refuse_moving() returns trigger language plpgsql as $$
    declare
      changed jsonb;
      building text;
    begin
      if not exists (select from building_moves where stage <> 'moved') then return null; end if;
      if current_setting('hypocaust.moves_buildings', true) = 'on' then return null; end if;
      changed := to_jsonb(case when tg_op = 'DELETE' then old else new end);
      if tg_op = 'UPDATE' and to_jsonb(new) - ${sql.lit(NOTES)}::text[] = to_jsonb(old) - ${sql.lit(NOTES)}::text[]
        then return null; end if;
      case tg_argv[0]
        when 'self' then building := changed ->> 'id';
        when 'building' then building := changed ->> 'building_id';
        when 'room' then select building_id into building from rooms where id = changed ->> 'room_id';
        when 'gateway' then select building_id into building from gateways where id = changed ->> 'gateway_id';
        when 'account' then select building_id into building from members
          join building_moves using (building_id)
          where account_id = changed ->> 'account_id' and stage in ('leaving', 'left') limit 1;
      end case;
      if exists (select from building_moves where building_id = building and stage <> 'moved') then
        raise exception 'the building % is being moved', building using errcode = 'HCM01';
      end if;
      return null;
    end $$`.execute(db)
  for (const [table, of, events] of FENCED)
    await sql`create trigger building_moves after ${sql.raw(events)} on ${sql.table(table)}
      for each row execute function hypocaust_refuse_moving(${sql.lit(of)})`.execute(db)
}
