import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SlowCount } from '../src/store/load.ts'
import { LookUpConnection } from '../src/store/postgres/look-up-connection.ts'
import { executing, Messages } from '../src/store/postgres/look-up-messages.ts'
import { LookUps } from '../src/store/postgres/look-ups.ts'
import { DEFAULT_LIMITS, drain, openPool } from '../src/store/postgres/pool.ts'
import { statement } from '../src/store/statement.ts'
import type { Store } from '../src/store/store.ts'

type Row = Record<string, unknown>

/** A look-up of these expressions, which may use the values by their names. */
const selecting = (expressions: (values: Row) => ReturnType<typeof sql>) =>
  statement((db, values: Row) => {
    const query = sql<Row>`select ${expressions(values)}`
    return { compile: () => query.compile(db) }
  })

const OWN_PID = selecting(
  () => sql`pg_backend_pid() as pid, (select count(*) from pg_prepared_statements where name like 'look-up-%') as uses`,
)

/** Once look-ups have their own connection: its process. */
async function pidOf(store: Store): Promise<number> {
  const { pid } = await eventually(async () => {
    const [row] = await OWN_PID.lookUp(store, {})
    return row?.uses !== 0 && row
  })
  return Number(pid)
}

describe.runIf(ENGINES.includes('postgres'))('look-ups on PostgreSQL', () => {
  let testStore: TestStore
  beforeAll(async () => {
    testStore = await openTestStore('postgres')
  })
  afterAll(() => testStore.close())

  const within = async (use: (store: Store) => Promise<void>, connections = 3) => {
    const store = await testStore.openAgain({ connections })
    await use(store)
    await store.close()
  }

  test('read the same values as any other statement', () =>
    within(async (store) => {
      const all = selecting(
        ({ text, list, none, number }) => sql`${text}::text as plain_text, ${none}::text as no_text, ''::text as empty,
          ${list}::text[] as list, ${number}::integer as small, -${number}::bigint as negative, 0 as zero,
          9007199254740991 as large, ${none}::bigint as no_number, 1.25::numeric as share, true as is_so,
          'Küche'::varchar(9) as name, '{"a":[1]}'::json as json`,
      )
      const values = { text: 'Bad im Süden 🛁', list: ['a', 'b "c"', '\\d', ''], none: null, number: 32_000 }
      await pidOf(store)
      const [expected] = await all.all(store, values)
      expect(expected).toMatchObject({ plainText: values.text, list: values.list, large: Number.MAX_SAFE_INTEGER })
      for (let time = 0; time < 3; time++) expect(await all.lookUp(store, values)).toEqual([expected])
    }))

  test('share one connection, and each gets its own rows', () =>
    within(async (store) => {
      const pid = await pidOf(store)
      const series = selecting(({ count }) => sql`pg_backend_pid() as pid, n from generate_series(1, ${count}) as n`)
      const counts = Array.from({ length: 40 }, (_, i) => (i % 7) * 100)
      const found = await Promise.all(counts.map((count) => series.lookUp(store, { count })))
      expect(found.map((rows) => rows.length)).toEqual(counts)
      for (const rows of found) expect(rows).toEqual(rows.map((_, i) => ({ pid, n: i + 1 })))
    }))

  test('fail each by itself', () =>
    within(async (store) => {
      const pid = await pidOf(store)
      const share = selecting(({ by }) => sql`1 / ${by}::integer as share`)
      const nowhere = selecting(() => sql`1 from nowhere`)
      const look = () =>
        Promise.allSettled([
          share.lookUp(store, { by: 1 }),
          share.lookUp(store, { by: 0 }),
          nowhere.lookUp(store, {}),
          nowhere.lookUp(store, {}),
          share.lookUp(store, { by: 1 }),
        ])
      for (const settled of [await look(), await look()]) {
        expect(settled.map(({ status }) => status)).toEqual([
          'fulfilled',
          ...['rejected', 'rejected', 'rejected'],
          'fulfilled',
        ])
        expect(settled[1]).toMatchObject({ reason: { kind: 'other', message: 'division by zero' } })
        for (const place of [2, 3])
          expect(settled[place]).toMatchObject({ reason: { message: 'relation "nowhere" does not exist' } })
      }
      expect(await pidOf(store)).toBe(pid)
    }))

  test('go on when a newer process gives a table another shape', () =>
    within(async (store) => {
      const other = await testStore.connect()
      await other.execute('create table shapes as select 1 as id')
      const shapes = selecting(() => sql`* from shapes`)
      await pidOf(store)
      expect(await shapes.lookUp(store, {})).toEqual([{ id: 1 }])
      await other.execute("alter table shapes add column from_the_future text default 'x'")
      const both = [shapes.lookUp(store, {}), shapes.lookUp(store, {})]
      for (const rows of await Promise.all(both)) expect(rows).toEqual([{ id: 1, fromTheFuture: 'x' }])
      await pidOf(store)
      expect(await shapes.lookUp(store, {})).toEqual([{ id: 1, fromTheFuture: 'x' }])
      await other.end()
    }))

  test('under way on a connection that the server ends are refused for now, the next ones are answered', () =>
    within(async (store) => {
      const pid = await pidOf(store)
      const other = await testStore.connect()
      await other.execute('select pg_advisory_lock(1)')
      const waiting = selecting(() => sql`pg_advisory_xact_lock(1)::text as lock`)
      const refused = Promise.allSettled([waiting.lookUp(store, {}), waiting.lookUp(store, {})])
      await eventually(() => isWaiting(store, pid))
      await other.execute(`select pg_terminate_backend(${pid})`)
      for (const each of await refused) expect(each).toMatchObject({ reason: { kind: 'unavailable' } })
      expect(await pidOf(store)).not.toBe(pid)
      await other.end()
    }))

  test('do not wait behind one that takes long', () =>
    within(async (store) => {
      const pid = await pidOf(store)
      const other = await testStore.connect()
      await other.execute('select pg_advisory_lock(2)')
      const long = selecting(() => sql`pg_advisory_xact_lock(2)::text as lock`).lookUp(store, {})
      await eventually(() => isWaiting(store, pid))
      const answers: unknown[] = []
      await eventually(() => {
        void OWN_PID.lookUp(store, {}).then((rows) => answers.push(rows[0]?.pid))
        return answers.length > 0
      })
      expect(answers[0]).not.toBe(pid)
      await other.end()
      expect(await long).toHaveLength(1)
    }))

  test('under way are answered before the store is closed', async () => {
    const store = await testStore.openAgain()
    await pidOf(store)
    const slow = selecting(() => sql`1 as one from pg_sleep(0.1)`)
    const answers = Promise.all([slow.lookUp(store, {}), slow.lookUp(store, {})])
    await store.close()
    expect(await answers).toEqual([[{ one: 1 }], [{ one: 1 }]])
  })

  test('do not trust a connection on which nothing was sent for as long as the pool keeps one', async () => {
    const pool = openPool(testStore.url, DEFAULT_LIMITS)
    const lookUps = new LookUps(pool, async () => [], new SlowCount())
    const look = async () => (await lookUps.run<Row>({ sql: 'select pg_backend_pid() as pid', parameters: [] }))[0]
    const { pid } = await eventually(look)
    expect(await look()).toEqual({ pid })
    const { idleTimeoutMillis } = pool.options
    pool.options.idleTimeoutMillis = Number.MIN_VALUE
    expect(await look()).toBeUndefined()
    Object.assign(pool.options, { idleTimeoutMillis })
    expect(await eventually(look)).not.toEqual({ pid })
    lookUps.close()
    await drain(pool, { endAll() {} })
  })

  test('never take the only connection', () =>
    within(async (store) => {
      for (let time = 0; time < 3; time++) expect((await OWN_PID.lookUp(store, {}))[0]).toMatchObject({ uses: 0 })
      await sql`select 1`.execute(store.db)
    }, 1))

  /** Whether the statement of that process waits for a lock. */
  async function isWaiting(store: Store, pid: number): Promise<boolean> {
    const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`.execute(
      store.db,
    )
    return rows.length > 0
  }
})

test('a server that does not answer is given up, with all that waits for it', async () => {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stream = connect((server.address() as AddressInfo).port)
  const released: unknown[] = []
  const client = Object.assign(new EventEmitter(), {
    connection: { stream },
    release: (error: unknown) => released.push(error),
  })
  let ended = 0
  const connection = new LookUpConnection(client as unknown as pg.PoolClient, 1, () => ended++)
  const under = [
    connection.run({ sql: 'select 1', parameters: [] }),
    connection.run({ sql: 'select 2', parameters: [] }),
  ]
  const settled = await Promise.allSettled(under)
  client.emit('end')
  for (const each of settled) expect(each).toMatchObject({ reason: { message: 'Query read timeout' } })
  expect([released.length, ended, stream.destroyed]).toEqual([1, 1, true])
  server.close()
})

test('messages are the same however they are cut on their way', () => {
  const sent = [executing('a', ['x', null, 'Küche']), executing('b', []), executing('c', [['d', 'e']])]
  const all = Buffer.concat(sent)
  const taken = (cuts: number[]) => {
    const found: string[] = []
    const messages = new Messages((type, bytes, start, end) => {
      found.push(`${String.fromCharCode(type)}${bytes.toString('latin1', start, end)}`)
    })
    const places = [0, ...cuts.toSorted((a, b) => a - b), all.length]
    for (const [i, place] of places.slice(1).entries()) messages.add(all.subarray(places[i], place))
    return found
  }
  const whole = taken([])
  expect(whole.map(([type]) => type).join('')).toBe('BESBESBES')
  fc.assert(fc.property(fc.array(fc.nat(all.length)), (cuts) => void expect(taken(cuts)).toEqual(whole)))
})
