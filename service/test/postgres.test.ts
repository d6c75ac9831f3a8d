import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { appOn, openWorld, type World } from '@hypocaust/testing/world.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS, openPool } from '../src/store/postgres/pool.ts'
import { statement } from '../src/store/statement.ts'
import type { Store } from '../src/store/store.ts'

describe.runIf(ENGINES.includes('postgres'))('a process on PostgreSQL', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld('postgres')
  })
  afterAll(() => world.close())

  test.each([
    ['a lock', { lockTimeoutMs: 50 }],
    // Long enough for every statement that has not to wait, however busy the machine.
    ['a statement', { lockTimeoutMs: 0, statementTimeoutMs: 1000 }],
  ])('waits for %s only so long, then says 503 and when to try again; nothing is half done', async (_what, limits) => {
    const impatient = await world.test.openAgain(limits)
    const app = await appOn(impatient, world.clock)
    const other = await world.test.connect()
    await other.execute('begin; lock table rooms in access exclusive mode')
    const headers = { 'x-api-key': world.holder.writeKey, 'content-type': 'application/json' }
    const change = { method: 'PATCH' as const, url: world.bathroomPath, headers, payload: '{"target_temperature":25}' }
    const refused = await app.inject(change)
    expect([refused.statusCode, refused.json().error.code]).toEqual([503, 'unavailable'])
    expect(refused.headers['retry-after']).toBeTruthy()
    await other.execute('rollback')
    await other.end()
    expect((await world.bathroom()).target_temperature).toBe(20)
    await eventually(async () => (await app.inject(change)).statusCode === 200)
    expect((await world.bathroom()).target_temperature).toBe(25)
    await app.close()
    await impatient.close()
    await world.reset()
  })

  test.each(['batch', 'batchEach'] as const)('carries out both of two that wait for each other (%s)', async (way) => {
    const [one, other] = world.holder.roomIds as [string, string]
    const raise = (roomId: string) =>
      world.store.db.updateTable('rooms').set({ position: sql`position + 1` }).where('id', '=', roomId)
    const meanwhile = sql`select pg_sleep(0.2)`.$castTo<never>()
    const pause = { compile: () => meanwhile.compile(world.store.db) }
    const within = (first: string, second: string) => [raise(first), pause, raise(second)]
    const run = async (queries: ReturnType<typeof within>) =>
      way === 'batch'
        ? void (await world.store.batch(queries))
        : (await world.store.batchEach([{ queries }]))[0]?.status
    const positions = () =>
      world.store.db.selectFrom('rooms').select('position').where('id', 'in', [one, other]).orderBy('id').execute()
    const before = await positions()
    const done = await Promise.all([run(within(one, other)), run(within(other, one))])
    if (way === 'batchEach') expect(done).toEqual(['fulfilled', 'fulfilled'])
    expect(await positions()).toEqual(before.map(({ position }) => ({ position: position + 2 })))
  })

  test('prepares a statement once for each connection', async () => {
    const store = await world.test.openAgain({ connections: 1 })
    const find = (id: string) => store.db.selectFrom('sensors').select('rssiDbm').where('id', '=', id).execute()
    for (const id of ['a', 'b', 'c']) await find(id)
    const uses = await sql<{ uses: number }>`select generic_plans + custom_plans as uses from pg_prepared_statements
      where statement like 'select "rssi_dbm" from "sensors"%'`.execute(store.db)
    expect(uses.rows).toEqual([{ uses: 3 }])
    await store.close()
  })

  test('prepares the statements of a batch once for each connection, also after one of them failed', async () => {
    const store = await world.test.openAgain({ connections: 1 })
    const [roomId = ''] = world.holder.roomIds
    const rename = (name: string) => store.db.updateTable('rooms').set({ name }).where('id', '=', roomId)
    const forbid = store.db.updateTable('rooms').set({ targetC: 1000 }).where('id', '=', roomId)
    const count = store.db.updateTable('rooms').set({ position: 7 }).where('id', '=', roomId)
    await expect(store.batch([rename('a'), forbid, count])).rejects.toThrow()
    for (const name of ['b', 'c']) expect(await store.batch([rename(name), count])).toHaveLength(2)
    const uses = await sql<{ uses: number }>`select generic_plans + custom_plans as uses from pg_prepared_statements
      where statement like 'update "rooms" set "name"%'`.execute(store.db)
    expect(uses.rows).toEqual([{ uses: 3 }])
    await store.close()
    await world.reset()
  })

  const ALL_ROOMS = statement((db) => db.selectFrom('rooms').selectAll().orderBy('id'))

  test('reads the same by a statement that is compiled once as by one that is not, each time', async () => {
    const store = await world.test.openAgain({ connections: 1 })
    const rooms = await store.db.selectFrom('rooms').selectAll().orderBy('id').execute()
    expect(rooms.length).toBeGreaterThan(1)
    for (let time = 0; time < 3; time++) expect(await ALL_ROOMS.all(store, {})).toEqual(rooms)
    await store.close()
  })

  test.each([
    ['a query', (store: Store) => store.db.selectFrom('rooms').selectAll().orderBy('id').execute()],
    ['a statement that is compiled once', (store: Store) => ALL_ROOMS.all(store, {})],
  ])('goes on with %s when a newer process gives a table another shape', async (_what, read) => {
    const store = await world.test.openAgain({ connections: 1 })
    const all = () => read(store)
    const before = await all()
    const other = await world.test.connect()
    await other.execute("alter table rooms add column from_the_future text default 'x'")
    expect(await all()).toEqual(before.map((room) => ({ ...room, fromTheFuture: 'x' })))
    await other.execute('alter table rooms drop column from_the_future')
    await other.end()
    expect(await all()).toEqual(before)
    await store.close()
  })

  test('outlives a connection that the server ends between two queries', async () => {
    const pool = openPool(world.test.url, DEFAULT_LIMITS)
    const client = await pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = new Promise((resolve) => client.once('end', resolve))
    const other = await world.test.connect()
    await other.execute(`select pg_terminate_backend(${rows[0].pid})`)
    await other.end()
    await ended
    await expect(client.query('select 1')).rejects.toThrow()
    client.release(true)
    await pool.end()
  })

  test('waits at its start for another that migrates, without a limit', async () => {
    const slow = await world.test.connect()
    await slow.execute('begin; lock table kysely_migration in access exclusive mode')
    const starts = [world.test.openAgain(), world.test.openAgain()]
    const waiting = async () => {
      const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`.execute(
        world.store.db,
      )
      return rows.length > 0 && rows
    }
    for (const { query } of await eventually(waiting)) expect(query).not.toContain('lock_timeout')
    // By the clock of the server: a limit below a second would have ended one of them.
    await slow.execute('select pg_sleep(1)')
    expect(await waiting()).toBeTruthy()
    await slow.execute('commit')
    await slow.end()
    for (const store of await Promise.all(starts)) await store.close()
  })

  test('is not held up by another that stopped within a transaction', async () => {
    const store = await world.test.openAgain({ connections: 1 })
    const { rows } = await sql<{ setting: string }>`
      select setting from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(store.db)
    expect(Number(rows[0]?.setting)).toBe(10_000)
    await store.close()
  })
})
