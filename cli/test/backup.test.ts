import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TestClock } from '@hypocaust/testing/clock.ts'
import { carriedOut, hypocaust } from '@hypocaust/testing/command.ts'
import { openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { BATHROOM_SENSOR, HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newSensorId } from '../../service/src/house/sensors.ts'
import { authenticate } from '../../service/src/people/keys/keys.ts'
import { openStore } from '../../service/src/store/open.ts'

// One home that is backed up and restored; the tests build on each other.

const ROWS_BEFORE = 60_000
const folder = temporaryFolder()
const clock = new TestClock()
let home: TestStore
let holder: Awaited<ReturnType<typeof settleHolder>>
const sensorId = () => newSensorId(holder.buildingId, BATHROOM_SENSOR)
const inFolder = (name: string) => join(folder.path, name)
const restoring = (file: string, data: string, ...flags: string[]) =>
  carriedOut(['restore', inFolder(file), '--data', inFolder(data), '--json', ...flags])

beforeAll(async () => {
  home = await openTestStore('sqlite')
  holder = await settleHolder(home.store, clock, 'ada@example.org', HOUSE)
  writeFileSync(join(home.folder, 'auth-secret'), 'x'.repeat(43), { mode: 0o600 })
  const connection = await home.connect()
  await connection.execute(`insert into readings
    with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${ROWS_BEFORE})
    select '${holder.buildingId}', '${sensorId()}', i, 20, null from n`)
  await connection.end()
})
afterAll(async () => {
  await home.close()
  folder.remove()
})

test('a backup is made while the service writes on and on', async () => {
  const write = (measuredAt: number) =>
    home.store.db
      .insertInto('readings')
      .values({
        buildingId: holder.buildingId,
        sensorId: sensorId(),
        measuredAt,
        temperatureC: 20,
        humidityPct: null,
      })
      .execute()
  let written = ROWS_BEFORE
  let isDone = false
  const writing = (async () => {
    while (!isDone) await write(written++)
  })()
  const { code, json, stderr } = await hypocaust(folder.path, [
    'backup',
    'home.backup',
    '--data',
    home.folder,
    '--json',
  ])
  isDone = true
  await writing
  expect([code, json]).toMatchObject([0, { file: inFolder('home.backup'), files: ['auth-secret'], left_out: [] }])
  expect(stderr).toContain('Backup: 100 %')
  expect(json.tables.readings).toBeGreaterThanOrEqual(ROWS_BEFORE)
  expect(statSync(inFolder('home.backup')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder.path)).toEqual(['home.backup'])
})

test('restored elsewhere, all is there that was there when it began, without a gap, and the file is sound', async () => {
  const { code, json } = await restoring('home.backup', 'new')
  expect([code, json.replaced, json.files]).toEqual([0, null, ['auth-secret']])
  const db = new DatabaseSync(inFolder('new/hypocaust.db'), { timeout: 5000 })
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  const found = db.prepare('select count(*) as rows, max(measured_at) as last from readings').get()
  expect(found).toEqual({ rows: json.tables.readings, last: json.tables.readings - 1 })
  expect(json.tables.readings).toBeGreaterThanOrEqual(ROWS_BEFORE)
  db.close()
  expect(readFileSync(inFolder('new/auth-secret'), 'utf8')).toBe('x'.repeat(43))
  const store = await openStore(inFolder('new'))
  expect(await authenticate(store, clock, holder.writeKey)).toMatchObject({ key: { permission: 'write' } })
  await store.close()
})

test('after a restore, commands of before are old to every gateway', async () => {
  const epoch = () => {
    const db = new DatabaseSync(inFolder('new/hypocaust.db'), { timeout: 5000 })
    const row = db.prepare("select value from meta where name = 'epoch'").get()
    db.close()
    return Number(row?.value)
  }
  const first = epoch()
  expect(first).toBeGreaterThan(1)
  expect((await restoring('home.backup', 'new', '--replace')).code).toBe(0)
  expect(epoch()).toBeGreaterThan(first)
})

test('neither overwrites anything unless asked to, and what is replaced is kept', async () => {
  const backingUp = (...flags: string[]) =>
    carriedOut(['backup', inFolder('home.backup'), '--data', home.folder, ...flags])
  const again = await backingUp()
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/is there already.*--overwrite/)])
  expect((await backingUp('--overwrite')).code).toBe(0)
  const refused = await restoring('home.backup', 'new')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/holds a database already.*--replace/)])
  writeFileSync(inFolder('new/auth-secret'), 'another')
  const { json } = await restoring('home.backup', 'new', '--replace')
  const replaced = new DatabaseSync(json.replaced, { timeout: 5000 })
  expect(replaced.prepare('select count(*) as users from user').get()).toEqual({ users: 1 })
  replaced.close()
  const secrets = readdirSync(inFolder('new')).filter((name) => name.startsWith('auth-secret'))
  expect(secrets.map((name) => readFileSync(inFolder(`new/${name}`), 'utf8')).sort()).toEqual([
    'another',
    'x'.repeat(43),
  ])
})

test('nothing is restored over a database that is in use', async () => {
  const { code, stderr } = await carriedOut(['restore', inFolder('home.backup'), '--data', home.folder, '--replace'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is in use\. Stop the service/)])
})

test('a damaged database is no hindrance to a restore', async () => {
  truncateSync(inFolder('new/hypocaust.db'), 5000)
  appendFileSync(inFolder('new/hypocaust.db-wal'), 'left over')
  expect((await restoring('home.backup', 'new', '--replace')).code).toBe(0)
  await (await openStore(inFolder('new'))).close()
})

test.each([
  ['cut short', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)), /damaged or incomplete/],
  ['empty', (file: string) => truncateSync(file, 0), /no backup made by hypocaust backup/],
  ['something else', (file: string) => writeFileSync(file, 'hello '.repeat(5000)), /damaged or incomplete/],
])('a backup that is %s is refused in one line, and nothing is touched', async (what, spoil, line) => {
  const file = inFolder(`${what}.backup`)
  writeFileSync(file, readFileSync(inFolder('home.backup')))
  spoil(file)
  const { code, stderr } = await restoring(`${what}.backup`, 'untouched')
  expect([code, stderr]).toEqual([1, expect.stringMatching(line)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(existsSync(inFolder('untouched/hypocaust.db'))).toBe(false)
})

test('without a database there is nothing to back up; PostgreSQL has tools of its own', async () => {
  const none = await carriedOut(['backup', inFolder('x'), '--data', inFolder('nowhere')])
  expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/there is no database in .*--data/)])
  for (const command of ['backup', 'restore']) {
    vi.stubEnv('HYPOCAUST_DATABASE_URL', 'postgres://x/y')
    const { code, stderr } = await carriedOut([command, inFolder('x')])
    vi.unstubAllEnvs()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/PostgreSQL: .*pg_(dump|restore)/)])
  }
})
