import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../src/store/open.ts'
import { type Store, StoreError } from '../src/store/store.ts'

const SENSOR = {
  createdAt: 0,
  temperatureC: null,
  humidityPct: null,
  batteryPct: null,
  rssiDbm: null,
  measuredAt: null,
}

/** Holds a new database for a moment, as one does that makes it. */
const MAKER = `
const { DatabaseSync } = require('node:sqlite')
const { parentPort, workerData } = require('node:worker_threads')
const db = new DatabaseSync(workerData, { timeout: 5000 })
db.exec('begin immediate; create table of_another_process (id)')
parentPort.postMessage('held')
setTimeout(() => {
  db.exec('commit')
  db.close()
}, 300)
`

const kindOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  return error instanceof StoreError ? error.kind : `no store error: ${error}`
}

describe.each(ENGINES)('the store on %s', (engine) => {
  let opened: TestStore
  let store: Store
  let buildingId: string
  beforeAll(async () => {
    opened = await openTestStore(engine)
    store = opened.store
    buildingId = (await settleHolder(store, new TestClock(), 'ada@example.org', HOUSE)).buildingId
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    await store.db.deleteFrom('sensors').where('id', 'like', 'ff:%').execute()
  })

  const addSensor = (to: Store, id: string, of = buildingId) =>
    to.db.insertInto('sensors').values({ ...SENSOR, id, address: id, buildingId: of })

  const addedSensors = async (from: Store) =>
    (await from.db.selectFrom('sensors').select('id').where('id', 'like', 'ff:%').orderBy('id').execute()).map(
      ({ id }) => id,
    )

  const ids = (count: number, middle = '00') =>
    Array.from({ length: count }, (_, i) => `ff:${middle}:${i.toString(16).padStart(2, '0')}`)

  test('a write is there for every other connection when its promise resolves', async () => {
    await addSensor(store, 'ff:00').execute()
    const other = await opened.openAgain()
    expect(await addedSensors(other)).toEqual(['ff:00'])
    await other.close()
  })

  test('a write tells how many rows it changed', async () => {
    await store.batch(ids(3).map((id) => addSensor(store, id)))
    const result = await store.db
      .updateTable('sensors')
      .set({ temperatureC: 1 })
      .where('id', 'like', 'ff:%')
      .executeTakeFirst()
    expect(result.numUpdatedRows).toBe(3n)
  })

  test('a batch is there as a whole', async () => {
    const results = await store.batch(ids(3).map((id) => addSensor(store, id)))
    expect(results.map(({ affectedRows }) => affectedRows)).toEqual([1, 1, 1])
    expect(await addedSensors(store)).toEqual(ids(3))
  })

  test('a batch with one bad write changes nothing', async () => {
    const work = store.batch([
      addSensor(store, 'ff:00'),
      addSensor(store, 'ff:01', 'nowhere'),
      addSensor(store, 'ff:02'),
    ])
    expect(await kindOf(work)).toBe('foreign_key')
    expect(await addedSensors(store)).toEqual([])
  })

  test('an empty batch is no error', async () => {
    expect(await store.batch([])).toEqual([])
  })

  test('a reference to what does not exist is refused as foreign_key', async () => {
    expect(await kindOf(addSensor(store, 'ff:00', 'nowhere').execute())).toBe('foreign_key')
  })

  test('a second row of the same key is refused as unique', async () => {
    await addSensor(store, 'ff:00').execute()
    expect(await kindOf(addSensor(store, 'ff:00').execute())).toBe('unique')
  })

  test('the database itself refuses a room a sensor of another building', async () => {
    const other = await settleHolder(store, new TestClock(), 'bob@example.org', { ...HOUSE, rooms: [] })
    await addSensor(store, 'ff:00', other.buildingId).execute()
    const work = store.db.updateTable('rooms').set({ sensorId: 'ff:00' }).where('buildingId', '=', buildingId).execute()
    expect(await kindOf(work)).toBe('foreign_key')
  })

  test('the database itself refuses a target and a power out of range', async () => {
    for (const changes of [{ targetC: 6 }, { targetC: 36 }, { manualPower: 1.1 }, { manualPower: -0.1 }]) {
      expect(await kindOf(store.db.updateTable('rooms').set(changes).execute())).toBe('other')
    }
  })

  test('among writes at the same time a bad one fails alone', async () => {
    const results = await Promise.allSettled([
      addSensor(store, 'ff:00').execute(),
      addSensor(store, 'ff:01', 'nowhere').execute(),
      addSensor(store, 'ff:02').execute(),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await addedSensors(store)).toEqual(['ff:00', 'ff:02'])
  })

  test('two processes’ worth of writers lose nothing', async () => {
    const other = await opened.openAgain()
    const [ours, theirs] = [ids(40, 'aa'), ids(40, 'bb')]
    await Promise.all([
      ...ours.map((id) => addSensor(store, id).execute()),
      ...theirs.map((id) => addSensor(other, id).execute()),
    ])
    expect(await addedSensors(other)).toEqual([...ours, ...theirs])
    await other.close()
  })

  test('after close, a write is refused rather than lost in silence', async () => {
    const other = await opened.openAgain()
    await other.close()
    expect(await kindOf(addSensor(other, 'ff:00').execute())).toBe('unavailable')
  })

  test('close waits for the writes under way', async () => {
    const other = await opened.openAgain()
    const writing = Promise.all(ids(20).map((id) => other.batch([addSensor(other, id)])))
    await other.close()
    await writing
    expect(await addedSensors(store)).toEqual(ids(20))
  })
})

describe('the SQLite file', () => {
  let opened: TestStore
  let file: string
  beforeAll(async () => {
    opened = await openTestStore('sqlite')
    file = join(opened.folder, 'hypocaust.db')
    await settleHolder(opened.store, new TestClock(), 'ada@example.org', HOUSE)
  })
  afterAll(() => opened.close())

  const write = (targetC: number) => opened.store.db.updateTable('rooms').set({ targetC }).execute()

  test('is in write-ahead mode, so that readers and a writer do not wait for each other', () => {
    const db = new DatabaseSync(file, { timeout: 5000 })
    expect(db.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
    db.close()
  })

  test('writes at the same time share a commit', async () => {
    const walBytes = () => statSync(`${file}-wal`).size
    await write(20)
    const before = walBytes()
    await write(21)
    const oneCommit = walBytes() - before
    const start = walBytes()
    const other = new DatabaseSync(file, { timeout: 5000 })
    other.exec('begin immediate')
    const writing = Promise.all(Array.from({ length: 100 }, (_, i) => write(10 + (i % 20))))
    // By then all of them wait for the other.
    await new Promise((resolve) => setImmediate(resolve))
    other.exec('rollback')
    other.close()
    await writing
    expect(oneCommit).toBeGreaterThan(0)
    expect(walBytes() - start).toBeLessThan(5 * oneCommit)
  })

  test('a second writer is waited for, and nobody who reads is', async () => {
    const other = new DatabaseSync(file, { timeout: 5000 })
    other.exec('begin immediate')
    const writing = write(30)
    const [room] = await opened.store.db.selectFrom('rooms').select('targetC').limit(1).execute()
    expect(room?.targetC).not.toBe(30)
    other.exec('commit')
    other.close()
    await writing
    const [changed] = await opened.store.db.selectFrom('rooms').select('targetC').limit(1).execute()
    expect(changed?.targetC).toBe(30)
  })
})

describe('opening a store', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  test('a migration that fails leaves nothing behind', async () => {
    const path = join(folder.path, 'half')
    mkdirSync(path)
    const db = new DatabaseSync(join(path, 'hypocaust.db'), { timeout: 5000 })
    db.exec('create table api_keys (id text)')
    await expect(openStore(path)).rejects.toThrow(/cannot open the database .*api_keys/)
    const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'kysely%'").all()
    db.close()
    expect(tables).toEqual([{ name: 'api_keys' }])
  })

  test('a new database that another process is just making is waited for', async () => {
    const path = join(folder.path, 'new')
    mkdirSync(path)
    const maker = new Worker(MAKER, { eval: true, workerData: join(path, 'hypocaust.db') })
    await once(maker, 'message')
    const store = await openStore(path)
    expect(await store.db.selectFrom('rooms').selectAll().execute()).toEqual([])
    await store.close()
    await maker.terminate()
  })

  test('a file that is no database is reported as damaged, with what to do', async () => {
    const path = join(folder.path, 'damaged')
    mkdirSync(path)
    writeFileSync(join(path, 'hypocaust.db'), 'this is no database '.repeat(500))
    await expect(openStore(path)).rejects.toThrow(/hypocaust\.db is damaged .*restore a backup/)
  })

  test('a file in place of the folder is reported with the flag that helps', async () => {
    const path = join(folder.path, 'a-file')
    writeFileSync(path, '')
    await expect(openStore(path)).rejects.toThrow(/cannot use the data folder .*--data/)
  })

  test('a database of a newer version is reported as such', async () => {
    const path = join(folder.path, 'newer')
    await (await openStore(path)).close()
    const db = new DatabaseSync(join(path, 'hypocaust.db'), { timeout: 5000 })
    db.exec("insert into kysely_migration values ('9999-from-the-future', '2030-01-01T00:00:00.000Z')")
    db.close()
    await expect(openStore(path)).rejects.toThrow(/written by a newer version/)
  })
})
