import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Browser, openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { carriedOut, ENV, MAIN } from '@hypocaust/testing/command.ts'
import { createDatabase, ENGINES, openTestStore } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Answer, appOn, World } from '@hypocaust/testing/world.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isGateway, rotateToken } from '../../service/src/house/gateways/gateways.ts'
import { copyStore } from '../../service/src/store/copy/copy.ts'
import { openStore } from '../../service/src/store/open.ts'
import { liveAYear } from './year.ts'

const NOBODY = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'

/** A year is much to ask of a machine that does other things as well. */
const SLOW_MS = 300_000

/** Everything that can be read through /v1, and the ways it can be refused. */
async function answersOfV1(world: World): Promise<Record<string, unknown>> {
  const { holder, stranger, buildingPath, roomsPath, bathroomPath } = world
  const rooms = holder.roomIds.map((id) => `${roomsPath}/${id}`)
  const paths = ['/v1/key', '/v1/buildings', buildingPath, roomsPath, ...rooms, `${roomsPath}/${NOBODY}`, '/v1/nothing']
  const answers: Record<string, unknown> = {}
  const tell = (what: string, { status, text, headers }: Answer) => {
    answers[what] = { status, text, etag: headers.etag, type: headers['content-type'], allow: headers.allow }
  }
  const keys = { read: holder.readKey, write: holder.writeKey, stranger: stranger.readKey, wrong: 'hyp_wrong' }
  for (const path of paths) {
    for (const [name, key] of Object.entries(keys)) tell(`${name} ${path}`, await world.get(path, { key }))
    tell(`no key ${path}`, await world.call('GET', path))
    const { etag } = (await world.get(path)).headers
    if (etag) tell(`again ${path}`, await world.get(path, { headers: { 'if-none-match': etag } }))
  }
  const changes = [{ target_temperature: 99 }, { sensor_id: 'nope' }, {}, '{', { power: 1 }, { name: '' }]
  for (const body of changes) tell(`change ${JSON.stringify(body)}`, await world.patch(body))
  tell('read key changes', await world.patch({ target_temperature: 21 }, { key: holder.readKey }))
  tell('delete', await world.call('DELETE', bathroomPath, { key: holder.writeKey }))
  return answers
}

async function answersOfApp(world: World, browser: Browser): Promise<Record<string, unknown>> {
  const { holder, clock } = world
  const building = `/app/buildings/${holder.buildingId}`
  const to = Math.floor(clock.now() / 1000)
  const spans = [1, 7, 31, 92, 366].map((days) => `?from=${to - days * 86_400}&to=${to}`)
  const paths = [
    '/app/buildings',
    '/app/alerts',
    '/app/keys',
    `${building}/trends`,
    `${building}/sensors`,
    `${building}/gateways`,
    ...holder.roomIds.flatMap((id) => spans.map((span) => `/app/rooms/${id}/history${span}`)),
    ...spans.map((span) => `/app/rooms/${world.bathroomId}/history.csv${span}`),
    `/app/rooms/${NOBODY}/history${spans[0]}`,
  ]
  const answers: Record<string, unknown> = {}
  for (const path of paths) {
    const { status, text } = await browser.call('GET', path)
    answers[path] = { status, text }
  }
  return answers
}

describe.runIf(ENGINES.includes('postgres'))('a home on SQLite with a year of history', () => {
  let before: World
  let after: World
  let database: Awaited<ReturnType<typeof createDatabase>>
  let token: string
  let cookie: string
  let expected: { v1: Record<string, unknown>; app: Record<string, unknown> }

  const args = () => ['migrate-store', '--from', `sqlite:${before.test.folder}`, '--to', database.url, '--json']
  const migrate = () => carriedOut(args())

  beforeAll(async () => {
    before = await openSite('sqlite')
    database = await createDatabase()
    await liveAYear(before)
    token = (await rotateToken(before.store, before.clock, before.holder.gatewayIds[0] as string)) as string
    const ada = await signedIn(before)
    cookie = ada.cookie
    await answersOfV1(before)
    expected = { v1: await answersOfV1(before), app: await answersOfApp(before, ada) }
  }, SLOW_MS)
  afterAll(async () => {
    await after.app.close()
    await after.store.close()
    await database.drop()
  })

  test('is not copied while the service has it open', async () => {
    const { code, stderr } = await migrate()
    expect([code, JSON.parse(stderr).error.message]).toEqual([
      1,
      expect.stringMatching(/^the database .* is in use\. Stop the service/),
    ])
    await before.app.close()
    await before.store.close()
  })

  test(
    'is copied, though the command was killed in the middle; meanwhile no service starts on the half copy',
    async () => {
      const brake = new pg.Client({ connectionString: database.url })
      await brake.connect()
      await (await openStore(before.test.folder, database.url)).close()
      // Lets the copy come as far as the hourly means, and no further.
      await brake.query('begin')
      await brake.query('lock table readings_hourly in share mode')
      const child: ChildProcess = spawn(process.execPath, [MAIN, ...args()], { cwd: before.test.folder, env: ENV })
      const ended = once(child, 'close')
      await eventually(async () => {
        const waiting = "select from pg_locks where relation = 'readings_hourly'::regclass and not granted"
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`)
        return (await brake.query(waiting)).rows.length > 0
      })
      child.kill('SIGKILL')
      await ended
      await brake.query('rollback')
      await eventually(async () => {
        const { rows } = await brake.query(
          "select from pg_stat_activity where datname = current_database() and application_name = 'hypocaust migrate-store'",
        )
        return rows.length === 0
      })
      const half = await brake.query('select count(*)::int as rows from readings_five_minute')
      expect(half.rows[0].rows).toBeGreaterThan(0)
      await brake.end()
      await expect(openStore(before.test.folder, database.url)).rejects.toThrow(/copy .* not finished.*migrate-store/)

      const { code, json, stderr } = await migrate()
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('Copying readings_five_minute')])
      expect(json.filter(({ same }: { same: boolean }) => !same)).toEqual([])
      const rows = Object.fromEntries(json.map((each: { table: string; rows: number }) => [each.table, each.rows]))
      expect(rows).toMatchObject({ user: 2, rooms: 3, readings: 8064, readings_hourly: 13_152 })
    },
    SLOW_MS,
  )

  test('is not copied a second time into the same database', async () => {
    const { code, stderr } = await migrate()
    expect([code, JSON.parse(stderr).error.message]).toEqual([
      1,
      expect.stringMatching(/target holds data already.*empty database/),
    ])
  })

  test(
    'answers every question of /v1 and of the website as before, and opens to the same keys',
    async () => {
      const store = await openStore(before.test.folder, database.url)
      const app = await appOn(store, before.clock, { website: WEBSITE })
      after = new World({ ...before.test, store }, before.clock, app, before.holder, before.stranger)
      expect(await answersOfV1(after)).toEqual(expected.v1)
      expect(await answersOfApp(after, await signedIn(after))).toEqual(expected.app)
      const session = await new Browser(after).call('GET', '/app/session', undefined, { cookie })
      expect(session.json.account.email).toBe('ada@example.org')
      expect(await isGateway(store, before.holder.gatewayIds[0] as string, token)).toBe(true)
      expect((await after.patch({ target_temperature: 23.5 })).json.target_temperature).toBe(23.5)
    },
    SLOW_MS,
  )
})

describe.runIf(ENGINES.includes('postgres'))('a copy from SQLite to PostgreSQL', () => {
  test('of a source that changed in between is recognised, and is not used', async () => {
    const source = await openTestStore('sqlite')
    await source.store.db.insertInto('meta').values({ name: 'a', value: 'before' }).execute()
    await source.store.close()
    const database = await createDatabase()
    const interrupt = ({ table }: { table: string }) => {
      if (table === 'weather') throw new Error('interrupted')
    }
    await expect(copyStore(source.folder, database.url, interrupt)).rejects.toThrow('interrupted')
    const db = new DatabaseSync(join(source.folder, 'hypocaust.db'), { timeout: 5000 })
    db.exec("update meta set value = 'after' where name = 'a'")
    db.close()
    const verified = await copyStore(source.folder, database.url, () => {})
    expect(verified.filter(({ same }) => !same).map(({ table }) => table)).toEqual(['meta'])
    await expect(openStore(source.folder, database.url)).rejects.toThrow(/not finished/)
    await database.drop()
  })

  test.each([
    ['to what is no database', ['--from', 'sqlite:.', '--to', 'mysql://x'], 2, /not a postgres:\/\/ address/],
    ['from nothing', ['--from', 'sqlite:none', '--to', 'postgres://x'], 1, /there is no database at .*none/],
  ])('is refused %s', async (_what, args, exit, line) => {
    const { code, stderr } = await carriedOut(['migrate-store', ...args])
    expect([code, stderr]).toEqual([exit, expect.stringMatching(line)])
  })

  test('to a server that does not answer says so in one line, without the password', async () => {
    const source = await openTestStore('sqlite')
    await source.store.close()
    const to = 'postgres://me:secret@127.0.0.1:1/none'
    const { code, stderr } = await carriedOut(['migrate-store', '--from', source.folder, '--to', to])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^hypocaust: cannot open the target postgres:\/\/127[^\n]+\n$/),
    ])
    expect(stderr).not.toContain('secret')
  })
})
