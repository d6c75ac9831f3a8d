import { join } from 'node:path'
import { DAY_MS } from '@hypocaust/domain/facts'
import { createDatabase, ENGINES, type Engine } from '@hypocaust/testing/database.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { v1Interface } from '../src/store/migrations/0001-v1-interface.ts'
import { gateways } from '../src/store/migrations/0002-gateways.ts'
import { heating } from '../src/store/migrations/0003-heating.ts'
import { web } from '../src/store/migrations/0010-web.ts'
import { openStore } from '../src/store/open.ts'
import { Connection } from '../src/store/sqlite/connection.ts'
import { sqliteDialect } from '../src/store/sqlite/dialect.ts'
import type { Store } from '../src/store/store.ts'

/** A database as the first release left it. */
async function openFirstRelease(engine: Engine, { file, url }: { file: string; url: string }) {
  const connection = engine === 'sqlite' ? Connection.open(file) : undefined
  const dialect = connection
    ? sqliteDialect((query) => connection.run(query))
    : new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) })
  // biome-ignore lint/suspicious/noExplicitAny: tables of another time
  const db = new Kysely<any>({ dialect })
  const released = {
    '0001-v1-interface': v1Interface,
    '0002-gateways': gateways,
    '0003-heating': heating,
    '0010-web': web,
  }
  const migrations = Object.fromEntries(Object.entries(released).map(([name, make]) => [name, make(engine)]))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
  return {
    db,
    async close() {
      await db.destroy()
      connection?.close()
    },
  }
}

interface FirstRelease {
  engine: Engine
  folder: string
  url: string | undefined
}

/** Does something to a database of the first release, which has one building with one sensor, and opens it again. */
async function upgraded(
  { engine, folder, url = '' }: FirstRelease,
  // biome-ignore lint/suspicious/noExplicitAny: tables of another time
  before: (db: Kysely<any>) => Promise<void>,
): Promise<Store> {
  const { db, close } = await openFirstRelease(engine, { file: join(folder, 'hypocaust.db'), url })
  const date = new Date().toISOString()
  const user = { id: 'u', name: 'u', email: 'u@example.org', createdAt: date, updatedAt: date }
  await db
    .insertInto('user')
    .values({ ...user, emailVerified: engine === 'sqlite' ? 0 : false })
    .execute()
  const place = { lat: 1, lng: 2, timezone: 'UTC', created_at: 0 }
  await db
    .insertInto('buildings')
    .values({ id: 'b', account_id: 'u', key: 'b', name: 'b', ...place })
    .execute()
  await db.insertInto('sensors').values({ id: 's', building_id: 'b', created_at: 0 }).execute()
  await before(db)
  await close()
  return openStore(folder, url === '' ? undefined : url)
}

describe.each(ENGINES)('a database of the first release on %s', (engine) => {
  let folder: ReturnType<typeof temporaryFolder>
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined
  const first = (): FirstRelease => ({ engine, folder: folder.path, url: database?.url })

  beforeEach(async () => {
    folder = temporaryFolder()
    database = engine === 'postgres' ? await createDatabase() : undefined
  })
  afterEach(async () => {
    await database?.drop()
    folder.remove()
  })

  test('opens with all its rows, and takes in readings of any time', async () => {
    const now = Date.now()
    const reading = { building_id: 'b', sensor_id: 's', temperature_c: 20.1, humidity_pct: null }
    const times = [now - 400 * DAY_MS, now - DAY_MS, now - 1]
    const store = await upgraded(first(), async (db) => {
      await db
        .insertInto('readings')
        .values(times.map((measured_at) => ({ ...reading, measured_at })))
        .execute()
    })
    const rows = () => store.db.selectFrom('readings').select('measuredAt').orderBy('measuredAt').execute()
    expect(await rows()).toEqual(times.map((measuredAt) => ({ measuredAt })))
    const more = [0, now, now + 100 * DAY_MS]
    const added = { buildingId: 'b', sensorId: 's', temperatureC: 20, humidityPct: null }
    await store.db
      .insertInto('readings')
      .values(more.map((measuredAt) => ({ ...added, measuredAt })))
      .execute()
    expect((await rows()).map(({ measuredAt }) => measuredAt)).toEqual([...times, ...more].sort((a, b) => a - b))
    await expect(
      store.db
        .insertInto('readings')
        .values({ ...added, measuredAt: now, sensorId: 'nobody' })
        .execute(),
    ).rejects.toMatchObject({ kind: 'foreign_key' })
    await expect(
      store.db
        .insertInto('readings')
        .values({ ...added, measuredAt: now })
        .execute(),
    ).rejects.toMatchObject({
      kind: 'unique',
    })
    await store.close()
  })

  test('keeps the newest state of a room, which has one from now on', async () => {
    const store = await upgraded(first(), async (db) => {
      const settings = { floor_type: 'screed', target_c: 21, preset_mode: 'none', comfort_band_k: 0.5, max_floor_c: 29 }
      const powers = { manual_enabled: 0, manual_power: 0, control_power: 0 }
      const room = { building_id: 'b', key: 'r', name: 'r', position: 0, sensor_id: 's', created_at: 0 }
      await db
        .insertInto('rooms')
        .values({ id: 'r', ...room, ...settings, ...powers })
        .execute()
      const versions = [7, 9, 8].map((version) => ({ room_id: 'r', version, state: `state ${version}` }))
      await db.insertInto('control_states').values(versions).execute()
    })
    const states = () => store.db.selectFrom('controlStates').selectAll().execute()
    const newest = { roomId: 'r', version: 9, state: 'state 9', keptAt: null, keptGist: null }
    expect(await states()).toEqual([newest])
    const another = store.db.insertInto('controlStates').values({ ...newest, version: 10 })
    await expect(another.execute()).rejects.toMatchObject({ kind: 'unique' })
    await store.db.deleteFrom('rooms').execute()
    expect(await states()).toEqual([])
    await store.close()
  })
})
