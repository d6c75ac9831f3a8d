import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES, openTestStore } from '@hypocaust/testing/database.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { appOn, openWorld } from '@hypocaust/testing/world.ts'
import { expect, test } from 'vitest'
import { startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'
import { checkData } from '../src/store/check.ts'
import { LastWrite } from '../src/store/last-write.ts'
import { openStore } from '../src/store/open.ts'
import { StoreError } from '../src/store/store.ts'

const modeOf = (file: string) => statSync(file).mode & 0o777

test('a new database is for its owner alone, and doctor names one that is not', async () => {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  mkdirSync(data, { mode: 0o755 })
  chmodSync(data, 0o755)
  await (await openStore(data)).close()
  const file = join(data, 'hypocaust.db')
  expect(modeOf(file)).toBe(0o600)
  const modes = async () => (await checkData(data)).find(({ check }) => check === 'File modes')
  expect(await modes()).toBeUndefined()
  chmodSync(file, 0o644)
  expect(await modes()).toMatchObject({ ok: false, finding: expect.stringMatching(/hypocaust\.db.*chmod 700/) })
  chmodSync(data, 0o700)
  expect(await modes()).toBeUndefined()
  folder.remove()
})

test('a second service on one data folder is refused, and the folder is free again when the first has ended', async () => {
  const folder = temporaryFolder()
  const flags = { data: folder.path, port: 0, mqtt_port: 0, log_level: 'silent' }
  const serve = () => startService(readSettings(flags, {}, 'none.yaml'))
  const first = await serve()
  await expect(serve()).rejects.toThrow(/another hypocaust serve uses the data folder .*--data/)
  expect((await fetch(`${first.url}/health/ready`)).status).toBe(200)
  await first.stop()
  await (await serve()).stop()
  folder.remove()
})

test.runIf(ENGINES.includes('postgres'))('a command on PostgreSQL makes no data folder', async () => {
  const opened = await openTestStore('postgres')
  const folder = join(opened.folder, 'data')
  await (await openStore(folder, opened.url)).close()
  expect(existsSync(folder)).toBe(false)
  await opened.close()
})

test('a write that fails for want of space is remembered until one succeeds; a refused one is not', async () => {
  const writes = new LastWrite()
  const fail = (kind: 'unavailable' | 'unique') =>
    writes.watch(() => Promise.reject(new StoreError(kind, 'database or disk is full'))).catch(() => undefined)
  await fail('unique')
  expect(writes.problem).toBeUndefined()
  await fail('unavailable')
  expect(writes.problem).toBe('database or disk is full')
  await writes.watch(async () => 'written')
  expect(writes.problem).toBeUndefined()
})

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

test.runIf(canMount)('a service on a full disk is not ready, until there is room again', () => {
  const folder = temporaryFolder()
  const script = join(import.meta.dirname, 'full-disk-in-namespace.ts')
  const { stdout, stderr } = spawnSync('unshare', ['-rm', process.execPath, script, folder.path], { encoding: 'utf8' })
  expect(JSON.parse(stdout || stderr)).toEqual({
    before: 200,
    full: ['rejected', 503, 503],
    after: [200, 'fulfilled', 200],
  })
  folder.remove()
})

test('a process on SQLite that cannot write is not ready, until it can', async () => {
  const world = await openWorld('sqlite')
  const { store } = world
  let isFull = true
  const full = new StoreError('unavailable', 'database or disk is full')
  const broken = Object.create(store, {
    load: { get: () => ({ slow: 0, writeProblem: isFull ? full.message : undefined }) },
    batch: { value: (queries: never) => (isFull ? Promise.reject(full) : store.batch(queries)) },
  })
  const app = await appOn(broken, world.clock)
  const ready = async () => (await app.inject({ url: '/health/ready' })).statusCode
  expect(await ready()).toBe(503)
  isFull = false
  expect(await ready()).toBe(200)
  await app.close()
  await world.close()
})
