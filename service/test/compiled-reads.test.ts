import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../src/store/statement.ts'
import type { Store } from '../src/store/store.ts'

type Row = Record<string, unknown>

/** A compiled select of these expressions, which may use the values by their names. */
const selecting = (expressions: (values: Row) => ReturnType<typeof sql>) =>
  statement((db, values: Row) => {
    const query = sql<Row>`select ${expressions(values)}`
    return { compile: () => query.compile(db) }
  })

describe.runIf(ENGINES.includes('postgres'))('compiled statements on PostgreSQL', () => {
  let testStore: TestStore
  beforeAll(async () => {
    testStore = await openTestStore('postgres')
  })
  afterAll(() => testStore.close())

  const within = async (use: (store: Store) => Promise<void>) => {
    const store = await testStore.openAgain({ connections: 2 })
    await use(store)
    await store.close()
  }

  test('read values as numbers, texts, lists and truths, under the names of the code', () =>
    within(async (store) => {
      const all = selecting(
        ({ text, list, none, number }) => sql`${text}::text as plain_text, ${none}::text as no_text, ''::text as empty,
          ${list}::text[] as list, ${number}::integer as small, -${number}::bigint as negative, 0 as zero,
          9007199254740991 as large, ${none}::bigint as no_number, 1.25::numeric as share, true as is_so`,
      )
      const values = { text: 'Bad im Süden 🛁', list: ['a', 'b "c"', '\\d', ''], none: null, number: 32_000 }
      const expected = {
        plainText: values.text,
        noText: null,
        empty: '',
        list: values.list,
        small: 32_000,
        negative: -32_000,
        zero: 0,
        large: Number.MAX_SAFE_INTEGER,
        noNumber: null,
        share: 1.25,
        isSo: true,
      }
      for (let time = 0; time < 3; time++) expect(await all.all(store, values)).toEqual([expected])
    }))

  test('fail each by itself', () =>
    within(async (store) => {
      const share = selecting(({ by }) => sql`1 / ${by}::integer as share`)
      const nowhere = selecting(() => sql`1 from nowhere`)
      for (let round = 0; round < 2; round++) {
        const settled = await Promise.allSettled([
          share.all(store, { by: 1 }),
          share.all(store, { by: 0 }),
          nowhere.all(store, {}),
          share.all(store, { by: 1 }),
        ])
        expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
        expect(settled[1]).toMatchObject({ reason: { kind: 'other', message: 'division by zero' } })
      }
    }))

  test('go on when a newer process gives a table another shape', () =>
    within(async (store) => {
      const other = await testStore.connect()
      await other.execute('create table shapes as select 1 as id')
      const shapes = selecting(() => sql`* from shapes`)
      for (let time = 0; time < 3; time++) expect(await shapes.all(store, {})).toEqual([{ id: 1 }])
      await other.execute("alter table shapes add column from_the_future text default 'x'")
      const both = [shapes.all(store, {}), shapes.all(store, {}), shapes.all(store, {})]
      for (const rows of await Promise.all(both)) expect(rows).toEqual([{ id: 1, fromTheFuture: 'x' }])
      await other.end()
    }))

  test('of a batch go on, too, and are carried out once', () =>
    within(async (store) => {
      const other = await testStore.connect()
      await other.execute('create table counted (n integer)')
      const counting = statement((db, { n }: { n: number }) => {
        const query = sql`insert into counted values (${n}::integer) returning *`
        return { compile: () => query.compile(db) }
      })
      for (let n = 0; n < 3; n++) await store.batch([counting.with(store, { n })])
      await other.execute("alter table counted add column from_the_future text default 'x'")
      await Promise.all([3, 4, 5].map((n) => store.batch([counting.with(store, { n }), counting.with(store, { n })])))
      const { rows } = await sql<{ n: number }>`select n from counted order by n`.execute(store.db)
      expect(rows.map(({ n }) => n)).toEqual([0, 1, 2, 3, 3, 4, 4, 5, 5])
      await other.end()
    }))

  test('under way on a connection that the server ends are refused for now, the next ones are answered', () =>
    within(async (store) => {
      const other = await testStore.connect()
      await other.execute('select pg_advisory_lock(1)')
      const refused = Promise.allSettled([selecting(() => sql`pg_advisory_xact_lock(1)::text as lock`).all(store, {})])
      const waiting = () =>
        sql<{ pid: number }>`select pid from pg_locks where locktype = 'advisory' and objid = 1 and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(store.db)
      const pid = await eventually(async () => (await waiting()).rows[0]?.pid)
      await other.execute(`select pg_terminate_backend(${pid})`)
      expect((await refused)[0]).toMatchObject({ reason: { kind: 'unavailable' } })
      expect(await selecting(() => sql`1 as one`).all(store, {})).toEqual([{ one: 1 }])
      await other.end()
    }))

  test('under way are answered before the store is closed', async () => {
    const store = await testStore.openAgain()
    const slow = selecting(() => sql`1 as one from pg_sleep(0.1)`)
    const answers = Promise.all([slow.all(store, {}), slow.all(store, {})])
    await store.close()
    expect(await answers).toEqual([[{ one: 1 }], [{ one: 1 }]])
  })

  test('of a batch in which one fails leave nothing behind, and the error is that of the first', () =>
    within(async (store) => {
      const other = await testStore.connect()
      await other.execute('create table whole (n integer primary key)')
      const insert = (n: number) => {
        const query = sql`insert into whole values (${n}::integer)`
        return { compile: <T>() => query.compile(store.db) as T as never }
      }
      for (let round = 0; round < 2; round++) {
        const failed = store.batch([insert(1), insert(1), insert(2), insert(2)])
        await expect(failed).rejects.toMatchObject({ kind: 'unique', message: expect.stringContaining('whole_pkey') })
        const [first, second] = await store.batchEach([{ queries: [insert(3), insert(3)] }, { queries: [insert(4)] }])
        expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
        const { rows } = await sql<{ n: number }>`delete from whole returning n`.execute(store.db)
        expect(rows).toEqual([{ n: 4 }])
      }
      await other.end()
    }))
})
