import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createDatabase, ENGINES } from '@hypocaust/testing/database.ts'
import { FaultyLine } from '@hypocaust/testing/faulty-line.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../src/store/postgres/open.ts'
import { DEFAULT_LIMITS, openPool } from '../src/store/postgres/pool.ts'
import type { Store } from '../src/store/store.ts'

const CONNECTIONS = 6
/** What the server itself gives a statement. */
const STATEMENT_LIMIT_MS = 15_000

describe.runIf(ENGINES.includes('postgres'))('a server that is silent', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let line: FaultyLine
  let store: Store
  beforeAll(async () => {
    database = await createDatabase()
    const url = new URL(database.url)
    line = new FaultyLine(Number(url.port))
    await line.start()
    url.port = String(line.port)
    store = await openPostgres(url.href, { connections: CONNECTIONS })
  })
  afterAll(async () => {
    await store.close()
    line.stop()
    await database.drop()
  })

  const read = () => store.db.selectFrom('meta').selectAll().execute()
  const write = () => store.batch([store.db.updateTable('meta').set({ value: '2' }).where('name', '=', 'epoch')])
  /** As many connections as there may be, all of them idle afterwards. */
  const connectAll = () =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => sql`select pg_sleep(0.1)`.execute(store.db)))

  test.each([
    ['a read', read],
    ['a write', write],
  ])('fails %s before the limit of a statement, and nobody else has to wait after that', async (_what, ask) => {
    await connectAll()
    // As when the address has moved to another server: the old connections are dead, and new ones work.
    line.halfOpen()
    const startedMs = performance.now()
    await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(performance.now() - startedMs).toBeLessThan(STATEMENT_LIMIT_MS)
    for (let i = 0; i < 2 * CONNECTIONS; i++) await ask()
  })

  test('that cannot be reached at all fails both, and is used again when it can', async () => {
    await connectAll()
    line.set('lost')
    const startedMs = performance.now()
    const [reading, writing] = await Promise.allSettled([read(), write()])
    for (const { reason } of [reading, writing] as PromiseRejectedResult[])
      expect(reason).toMatchObject({ kind: 'unavailable' })
    expect(performance.now() - startedMs).toBeLessThan(STATEMENT_LIMIT_MS)
    line.set('good')
    await read()
    await write()
  })

  test('is not taken for silent while it works on a statement', async () => {
    const { rows } = await sql<{ done: number }>`select 1 as done from pg_sleep(4)`.execute(store.db)
    expect(rows).toEqual([{ done: 1 }])
  })

  test('at the beginning of a session fails who asked for the connection, and gives its place back', async () => {
    const url = new URL(database.url)
    const port = Number(url.port)
    let isSilent = true
    const silent = createServer((near) => {
      const far = connect(port, '127.0.0.1')
      near.on('data', (bytes) => {
        if (!(isSilent && bytes.includes('statement_timeout'))) far.write(bytes)
      })
      far.pipe(near)
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const)
        socket.on('error', () => {}).on('close', () => other.destroy())
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    url.port = String((silent.address() as AddressInfo).port)
    const pool = openPool(url.href, { ...DEFAULT_LIMITS, connections: 1 })
    await expect(pool.connect()).rejects.toThrow(/timeout/)
    isSilent = false
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
    silent.close()
  })
})
