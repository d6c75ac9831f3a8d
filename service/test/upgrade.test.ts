import { join } from 'node:path'
import { DAY_MS } from '@hypocaust/domain/facts'
import { createDatabase, ENGINES, type Engine } from '@hypocaust/testing/database.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { v1Interface } from '../src/store/migrations/0001-v1-interface.ts'
import { gateways } from '../src/store/migrations/0002-gateways.ts'
import { heating } from '../src/store/migrations/0003-heating.ts'
import { web } from '../src/store/migrations/0010-web.ts'
import { openStore } from '../src/store/open.ts'
import { Connection } from '../src/store/sqlite/connection.ts'
import { sqliteDialect } from '../src/store/sqlite/dialect.ts'

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

describe.each(ENGINES)('a database of the first release on %s', (engine) => {
  test('opens with all its rows, and takes in readings of any time', async () => {
    const folder = temporaryFolder()
    const database = engine === 'postgres' ? await createDatabase() : undefined
    const url = database?.url ?? ''
    const { db, close } = await openFirstRelease(engine, { file: join(folder.path, 'hypocaust.db'), url })
    const now = Date.now()
    const date = new Date(now).toISOString()
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
    const reading = { building_id: 'b', sensor_id: 's', temperature_c: 20.1, humidity_pct: null }
    const times = [now - 400 * DAY_MS, now - DAY_MS, now - 1]
    await db
      .insertInto('readings')
      .values(times.map((measured_at) => ({ ...reading, measured_at })))
      .execute()
    await close()

    const store = await openStore(folder.path, database?.url)
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
    await database?.drop()
    folder.remove()
  })
})
