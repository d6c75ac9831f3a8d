import { join } from 'node:path'
import { ENGINES } from '@hypocaust/testing/database.ts'
import type { World } from '@hypocaust/testing/world.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, explainOnPostgres, explainOnSqlite } from './plans.ts'
import { type Recording, recordStatements } from './statements.ts'
import { tour } from './tour.ts'

/** Statements that read more rows than they return, and why they may. */
const REVIEWED: [RegExp, string][] = [
  [/^delete from rate_windows where ends_at <=/, 'windows that are over'],
  [/^select "buildings"."id", .* from "buildings" where "buildings"."controlled_at" <=/, 'buildings that were quiet'],
  [/^select "buildings"."id", .* where "buildings"."setpoints_change_at" <=/, 'buildings with a new setpoint'],
  [/^select "building_id", "command_due_at" from "gateways" where "command_due_at" <=/, 'commands that are due'],
  [/^select "id", .* from "buildings" where "loop_run_due_at" <=/, 'tests of loops that are due'],
  [/insert into "readings_(five_minute|hourly)"/, 'what is due to be rolled up, a span at a time'],
  [
    /^delete from "(readings|decisions|valve_windows)\w*" where "\w+" >= \S+ and "\w+" </,
    'what is due to be forgotten',
  ],
  [/^delete from "gateway_messages" where "received_at" </, 'what is due to be forgotten'],
  [/^delete from "change_log" where "changed_at" </, 'what is due to be forgotten'],
  [/^delete from "webhook_deliveries" where "queued_at" </, 'what is due to be forgotten'],
  [/^delete from "oauth_(codes|devices|refresh_tokens)" where "\w+" </, 'what is due to be forgotten'],
  [/^update "webhook_positions" set .* not exists/, 'once an hour, a number for each building of a webhook'],
  [/^select "webhooks"."id" as "webhook_id", .* "members"/, 'the buildings of webhooks, a hundred at most'],
  [/^delete from "alerts" where "ended_at" </, 'what is due to be forgotten'],
  [
    /^(select "id" from|update) "buildings" .*"alerts_checked_at" <=/,
    'buildings whose turn it is, two hundred at most',
  ],
  [/^select \* from \(select "tellings"."id", .* where "tellings"."due_at" <=/, 'notifications that are due'],
  [/^delete from "verification" where "value" =/, 'links that have not run out, when a password changes'],
  [/^delete from "pairing_codes" where/, 'codes that have run out'],
  [/^select distinct "building_id" from "gateways"$/, 'all, once at the start'],
  [
    /^select "id", "lat", "lng" from "buildings" where not exists/,
    'the weather of all places, a few numbers a building',
  ],
  [/^select "id", "building_id", "fitted_at" from "rooms" where "fitted_at" <=/, 'the first room that is due'],
  [/^select "place", "due_at", "last_modified" from "forecasts"$/, 'the weather of all places'],
  [/^select "id", "email" from "user" order by/, 'a command that lists all'],
  [/^select "buildings"."id", .* from "buildings" inner join "user"/, 'a command that lists all'],
  [/^select "gateways"."id", .* from "gateways" inner join "buildings" .* order by/, 'a command that lists all'],
  [/^select "id", "mqtt_hash" from "(moved_)?gateways"/, 'a command that writes all gateways to a file'],
  [/^select .* from "rooms" .* where \("rooms"."id" = \S+ or lower/, 'a command that finds a room by its name'],
]

/** Indexes that hold only the few rows that are waiting for something. */
const WAITING = ['buildings_not_followed', 'building_moves_under_way']

/** Few rows, however many buildings; or no table, but a list that was handed in. */
const SMALL = ['meta', 'oauth_clients', 'json_each']

/** By an equality, or only up to the first rows: the cost does not grow with the table. */
const isDirect = ({ condition, isLimited, index }: Access): boolean =>
  isLimited || WAITING.includes(index) || (condition !== null && /(?<![<>!])=/.test(condition))

describe.each(ENGINES)('what the service asks the database on %s', (engine) => {
  let world: World
  const looks: { sql: string; access: Access }[] = []
  let asked = 0
  beforeAll(async () => {
    let recording: Recording | undefined
    try {
      world = await tour(engine, () => {
        recording = recordStatements(engine)
      })
    } finally {
      recording?.stop()
    }
    const { url, folder } = world.test
    const { explain, end } =
      engine === 'postgres' ? await explainOnPostgres(url) : explainOnSqlite(join(folder, 'hypocaust.db'))
    for (const [sql, parameters] of recording?.statements ?? []) {
      if (/pg_|sqlite_|kysely_|information_schema|to_regclass/.test(sql)) continue
      asked++
      for (const access of await explain(sql, parameters)) looks.push({ sql: sql.trim(), access })
    }
    await end()
  })
  afterAll(() => world.close())

  test('goes by an index to the rows that are meant, in every statement', () => {
    expect(asked).toBeGreaterThan(120)
    expect(looks.length).toBeGreaterThan(120)
    const astray = looks.filter(
      ({ sql, access }) =>
        !isDirect(access) && !SMALL.includes(access.table) && !REVIEWED.some(([pattern]) => pattern.test(sql)),
    )
    expect(astray).toEqual([])
  })

  test.runIf(engine === 'postgres')('can follow every reference backwards by an index', async () => {
    const client = new pg.Client({ connectionString: world.test.url })
    await client.connect()
    const { rows } = await client.query(
      `select conrelid::regclass::text as "table", conname as reference from pg_constraint
        where contype = 'f' and not exists (
          select from pg_index where indrelid = conrelid and indpred is null and indkey[0] = any (conkey))`,
    )
    await client.end()
    expect(rows).toEqual([])
  })
})
