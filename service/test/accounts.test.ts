import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { type Compilable, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount, findAccount, listAccounts } from '../src/people/accounts/accounts.ts'

const PASSWORD = 'correct horse battery'

describe.each(ENGINES)('accounts on %s', (engine) => {
  let opened: TestStore
  beforeAll(async () => {
    opened = await openTestStore(engine)
  })
  afterAll(() => opened.close())

  test('an account is created, found whatever the case of its address, and listed', async () => {
    const created = await createAccount(opened.store, 'Ada@Example.org', PASSWORD)
    expect(created).toMatchObject({ kind: 'created', account: { email: 'ada@example.org' } })
    expect(await findAccount(opened.store, 'ADA@example.ORG')).toMatchObject({ email: 'ada@example.org' })
    expect((await listAccounts(opened.store)).map(({ email }) => email)).toContain('ada@example.org')
  })

  test('of an account that cannot be written as a whole, nothing is left', async () => {
    const { store } = opened
    const batches: number[] = []
    const broken = {
      ...store,
      batch: (queries: Compilable[]) => {
        batches.push(queries.length)
        return store.batch([
          ...queries,
          store.db.insertInto('sensors').values({ id: 'x', address: 'x', buildingId: 'none', createdAt: 0 }),
        ])
      },
    }
    await expect(createAccount(broken, 'half@example.org', PASSWORD)).rejects.toMatchObject({ kind: 'foreign_key' })
    expect(batches).toEqual([2])
    expect(await findAccount(store, 'half@example.org')).toBeUndefined()
    expect(await createAccount(store, 'half@example.org', PASSWORD)).toMatchObject({ kind: 'created' })
  })

  test('two who ask for the same address at the same time do not both get it', async () => {
    const twice = await Promise.all([1, 2].map(() => createAccount(opened.store, 'twin@example.org', PASSWORD)))
    expect(twice.map(({ kind }) => kind).sort()).toEqual(['created', 'taken'])
  })

  test('the same address is taken', async () => {
    await createAccount(opened.store, 'bob@example.org', PASSWORD)
    expect(await createAccount(opened.store, 'BOB@example.org', PASSWORD)).toEqual({ kind: 'taken' })
  })

  test.each([
    ['no address', 'ada', PASSWORD, /e-mail/],
    ['an address with a space', 'a da@example.org', PASSWORD, /e-mail/],
    ['a password of nine characters', 'c@example.org', '123456789', /at least 10/],
    ['a password of 129 characters', 'c@example.org', 'x'.repeat(129), /at most 128/],
  ])('%s is refused with the reason', async (_what, email, password, why) => {
    expect(await createAccount(opened.store, email, password)).toEqual({
      kind: 'refused',
      why: expect.stringMatching(why),
    })
  })

  test('the password is stored only as a salted hash', async () => {
    await createAccount(opened.store, 'd@example.org', PASSWORD)
    await createAccount(opened.store, 'e@example.org', PASSWORD)
    const { rows } = await sql<{ password: string }>`select password from account`.execute(opened.store.db)
    const hashes = rows.map(({ password }) => password)
    expect(hashes.length).toBeGreaterThanOrEqual(2)
    expect(new Set(hashes).size).toBe(hashes.length)
    for (const hash of hashes) {
      expect(hash).not.toContain(PASSWORD)
      expect(hash.length).toBeGreaterThan(60)
    }
  })
})
