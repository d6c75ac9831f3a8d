import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Engine } from './types.ts'

/** PostgreSQL announces the end of a session: the pages it has open may be connected to another process. */
export const sessionNews = (engine: Engine): Migration => ({
  async up(db) {
    if (engine !== 'postgres') return
    await sql`create function hypocaust_tell_session() returns trigger language plpgsql as $$
      begin
        perform pg_notify('hypocaust_session', json_build_object('accountId', old."userId")::text);
        return null;
      end $$`.execute(db)
    await sql`create trigger tell_session after delete on session
      for each row execute function hypocaust_tell_session()`.execute(db)
  },
})
