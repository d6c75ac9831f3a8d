import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fleet } from './fleet.ts'

/** So many that a process which ends at once cannot have reached them all. */
const BUILDINGS = 5000

const without = withoutMosquitto() || !ENGINES.includes('postgres')

describe.skipIf(without)('a process that ingests, asked to end', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await Fleet.build()
    await populate()
  })
  afterAll(() => fleet.remove())

  /** Buildings like the first, each with a gateway, and all of them with something to be done. */
  async function populate(): Promise<void> {
    const { db } = fleet.store
    const many = sql`generate_series(1, ${BUILDINGS}) as i`
    await sql`insert into buildings (id, account_id, key, name, lat, lng, timezone, created_at, revised_at)
      select 'many-' || i, account_id, 'many-' || i, name, lat, lng, timezone, created_at, 1
      from buildings, ${many} where id = ${fleet.holder.buildingId}`.execute(db)
    await sql`insert into gateways (id, building_id, key, name, token_hash, created_at, last_seen_at, command_due_at)
      select gen_random_uuid(), 'many-' || i, 'cellar', 'cellar', '', 0, ${Date.now()}::bigint, 0 from ${many}`.execute(
      db,
    )
    await sql`insert into sensors (id, building_id, address, created_at)
      select 'many-' || i, 'many-' || i, 'aa:01', 0 from ${many}`.execute(db)
    await sql`insert into rooms (id, building_id, key, name, position, floor_type, sensor_id, target_c, preset_mode,
        manual_enabled, manual_power, comfort_band_k, max_floor_c, control_power, created_at)
      select 'many-' || i, 'many-' || i, 'room', 'Room', 0, 'screed', 'many-' || i, 20, 'none', 0, 0, 0.5, 27, 0, 0
      from ${many}`.execute(db)
  }

  test('does so at once with 0, though it was about to take up thousands of buildings', async () => {
    const party = await Party.join(fleet.mosquitto.url, {}, ['hypocaust/v1/+/down/config'])
    for (const heard of [1, 100]) {
      party.heard.length = 0
      const ingest = await fleet.start('ingest')
      await eventually(() => party.heard.length >= heard)
      expect(await fleet.end(ingest, 'SIGTERM')).toBe(0)
      expect(party.heard.length).toBeLessThan(BUILDINGS)
    }
    await party.leave()
  })
})
