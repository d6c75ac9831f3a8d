import { type Kysely, sql } from 'kysely'
import { StoreError } from '../store.ts'

/** In order, forward only: a migration that has been released is never edited. */
export const MIGRATION_NAMES = [
  '0001-v1-interface',
  '0002-gateways',
  '0003-heating',
  '0004-partitions',
  '0005-processes',
  '0006-matter',
  '0010-web',
  '0012-alerts',
  '0013-warming',
  '0014-contacts',
  '0015-sensors-in-buildings',
  '0016-relays',
  '0017-saving',
  '0018-programme',
  '0019-snoozed-alerts',
  '0020-live-revision',
  '0021-session-news',
  '0022-members',
  '0023-setpoint-changes',
  '0024-loops',
  '0025-invitations',
  '0026-change-log',
  '0027-tags',
  '0028-energy',
  '0029-storeys',
  '0031-heat',
  '0032-watched-rooms',
  '0033-room-icons',
  '0034-supply',
  '0035-room-savings',
  '0036-target-hold',
  '0037-claimed-invitations',
  '0038-keys-of-control',
  '0039-promises',
  '0040-named-agents',
  '0041-gateway-files',
  '0042-named-agents-seen',
  '0043-room-air',
  '0044-comfort-votes',
  '0045-webhooks',
  '0046-several-sensors',
  '0047-heat-counters',
  '0048-oauth',
  '0049-power-limits',
  '0050-screed-records',
  '0051-recommended-until',
  '0052-presence',
  '0053-operators',
  '0054-loop-details',
  '0056-cooling',
  '0057-calendars',
  '0058-programme-links',
  '0059-warm-floors',
  '0060-hot-water',
  '0061-limit-records',
  '0062-heat-weather',
  '0063-diagnoses',
  '0064-building-moves',
  '0066-blinds',
  '0068-traces',
  '0069-moved-grants',
  '0071-covers',
  '0072-valve-windows',
] as const

export async function namesDone(db: Kysely<unknown>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

export async function noteDone(db: Kysely<unknown>, name: string): Promise<void> {
  const timestamp = new Date().toISOString()
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(db)
}

/** A migration that this version does not have was carried out. */
export class NewerDatabase extends StoreError {
  constructor(migration: string) {
    super('other', `it has the migration ${migration}`)
  }
}
