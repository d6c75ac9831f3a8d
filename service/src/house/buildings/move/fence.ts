import { setTimeout as pause } from 'node:timers/promises'
import { isDeadlock, isLockTimeout } from '../../../store/postgres/errors.ts'
import type { Cell } from './cell.ts'

/** Whose rows a table has, and what is refused. Rows that only age are deleted for many buildings at a time. */
type Fenced = [table: string, of: 'self' | 'building' | 'room' | 'gateway' | 'account', events: Events]
type Events = 'insert or update or delete' | 'insert or update'

const ALL = 'insert or update or delete'
const GROWS = 'insert or update'

export const FENCED: Fenced[] = [
  ['buildings', 'self', ALL],
  ['members', 'building', ALL],
  ['rooms', 'building', ALL],
  ['gateways', 'building', ALL],
  ['contacts', 'building', ALL],
  ['calendars', 'building', ALL],
  ['valves', 'gateway', ALL],
  ['loop_details', 'gateway', ALL],
  ['loop_tests', 'gateway', ALL],
  ['api_keys', 'account', ALL],
  ['sensors', 'building', GROWS],
  ['weather', 'building', GROWS],
  ['alerts', 'building', GROWS],
  ['change_log', 'building', GROWS],
  ['screed_records', 'building', GROWS],
  ['limit_records', 'building', GROWS],
  ['monthly_mails', 'building', GROWS],
  ['readings', 'building', GROWS],
  ['control_states', 'room', GROWS],
  ['decisions', 'room', GROWS],
  ['room_slots', 'room', GROWS],
  ['room_heat', 'room', GROWS],
  ['room_savings', 'room', GROWS],
  ['room_examinations', 'room', GROWS],
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
const REFUSE = `create or replace function hypocaust_refuse_moving() returns trigger language plpgsql as $$
    declare
      changed jsonb;
      building text;
    begin
      if not exists (select from building_moves where stage <> 'moved') then return null; end if;
      if current_setting('hypocaust.moves_buildings', true) = 'on' then return null; end if;
      changed := to_jsonb(case when tg_op = 'DELETE' then old else new end);
      if tg_op = 'UPDATE' and to_jsonb(new) - '${NOTES}'::text[] = to_jsonb(old) - '${NOTES}'::text[]
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
    end $$`

/** Everything that needs the table waits behind a trigger that waits for it, so that gives up soon and tries again. */
const GIVES_WAY_AFTER_MS = 500
const PAUSE_MS = 250
const TRIES = 100

/**
 * Makes a database refuse what others write of a building while it moves. A trigger costs half as much again for each
 * reading that is stored, so a database has it from its first move on, and none where no building ever moves.
 */
export async function raiseFence(cell: Cell): Promise<void> {
  await cell.write(REFUSE)
  const rows = await cell.rows<{ name: string }>(
    "select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid where tgname = 'building_moves'",
  )
  const fenced = new Set(rows.map(({ name }) => name))
  for (const [table, of, events] of FENCED) if (!fenced.has(table)) await guard(cell, table, of, events)
}

/** A transaction of its own for each table: of two that wait for each other it is the one that gives way. */
async function guard(cell: Cell, ...[table, of, events]: Fenced): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await cell.together(async () => {
        await cell.write(`set local lock_timeout = ${GIVES_WAY_AFTER_MS}`)
        await cell.write(`create trigger building_moves after ${events} on ${table}
          for each row execute function hypocaust_refuse_moving('${of}')`)
      })
    } catch (error) {
      if (tries === TRIES || !(isLockTimeout(error) || isDeadlock(error))) throw error
      await pause(PAUSE_MS)
    }
  }
}
