import { type Kysely, sql } from 'kysely'
import type { Standby } from '../load.ts'
import type { Tables } from '../tables.ts'

/**
 * The servers that copy this one. How far each is behind is shown to roles with `pg_monitor` only; to others it is null.
 * A server that is itself a standby has none that matter. A base backup is none: at its end nothing is lost.
 */
export async function standbysOf(db: Kysely<Tables>): Promise<Standby[]> {
  const { rows } = await sql<Standby>`
    select coalesce(nullif(application_name, ''), pid::text) as name,
      case when pg_is_in_recovery() then null
        else pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 end as "lagBytes"
    from pg_stat_replication where application_name is distinct from 'pg_basebackup' order by pid`.execute(db)
  return rows
}
