import { DAY_MS, HOUR_MS } from '@hypocaust/domain/facts'
import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { type Compilable, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Retention } from '../src/house/readings/retention.ts'
import { rollUpAll } from '../src/house/readings/roll-up.ts'
import { newSensorId } from '../src/house/sensors.ts'
import type { Partition } from '../src/store/partitions.ts'
import { isStoreError, type Store } from '../src/store/store.ts'

const RETENTION: Retention = { rawDays: 2, fiveMinuteDays: 5, hourlyDays: 100, decisionDays: 30 }
/** Later than any database of these tests was made. */
const start = Date.UTC(2040, 0, 1)

/** As the service does: what the database had no time for is tried again. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!isStoreError(error, 'unavailable')) throw error
    }
  }
}

describe.runIf(ENGINES.includes('postgres'))('history on PostgreSQL', () => {
  let opened: TestStore
  let store: Store
  let holder: Awaited<ReturnType<typeof settleHolder>>
  beforeAll(async () => {
    opened = await openTestStore('postgres')
    store = opened.store
    holder = await settleHolder(store, new TestClock(), 'ada@example.org', HOUSE)
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    const { db } = store
    await store.batch([
      db.deleteFrom('readings'),
      db.deleteFrom('readingsFiveMinute'),
      db.deleteFrom('readingsHourly'),
      db.deleteFrom('decisions'),
      db.deleteFrom('valveWindows'),
    ])
  })

  const reading = (measuredAt: number, temperatureC: number) =>
    store.db.insertInto('readings').values({
      buildingId: holder.buildingId,
      sensorId: newSensorId(holder.buildingId, BATHROOM_SENSOR),
      measuredAt,
      temperatureC,
      humidityPct: null,
    })

  /** The partitions that readings lie in. */
  const places = async (): Promise<string[]> => {
    const { rows } = await query<{ place: string }>(
      'select distinct tableoid::regclass::text as place from readings order by 1',
    )
    return rows.map(({ place }) => place)
  }
  const partitionsOf = async (table: string): Promise<string[]> => {
    const { rows } = await query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  const query = async <Row extends object>(text: string): Promise<{ rows: Row[] }> => {
    const client = new pg.Client({ connectionString: opened.url })
    await client.connect()
    try {
      return await client.query<Row>(text)
    } finally {
      await client.end()
    }
  }
  const counted = async () => {
    const raw = await store.db.selectFrom('readings').select('temperatureC').execute()
    const fine = await store.db.selectFrom('readingsFiveMinute').select(['count', 'meanC']).execute()
    const hourly = await store.db.selectFrom('readingsHourly').select(['count', 'meanC']).execute()
    const all = [...raw.map(({ temperatureC }) => ({ count: 1, meanC: temperatureC })), ...fine, ...hourly]
    return {
      count: all.reduce((sum, { count }) => sum + count, 0),
      sumC: Math.round(all.reduce((sum, { count, meanC }) => sum + count * meanC, 0)),
    }
  }

  test('a reading finds a partition that was made ahead; once all in it is due, it is gone as a whole', async () => {
    await rollUpAll(store, start, RETENTION)
    await store.batch([reading(start + HOUR_MS, 20), reading(start + HOUR_MS + 1, 22), reading(start + DAY_MS, 30)])
    expect(await places()).toEqual(['readings_2040010100', 'readings_2040010200'])
    await rollUpAll(store, start + 2 * DAY_MS + 6 * HOUR_MS, RETENTION)
    expect(await places()).toEqual(['readings_2040010200'])
    expect(await partitionsOf('readings')).not.toContain('readings_2040010100')
    const fine = await store.db.selectFrom('readingsFiveMinute').selectAll().execute()
    expect(fine).toMatchObject([{ startsAt: start + HOUR_MS, count: 2, meanC: 21, minC: 20, maxC: 22 }])
    await rollUpAll(store, start + 6 * DAY_MS + 6 * HOUR_MS, RETENTION)
    expect(await store.db.selectFrom('readingsFiveMinute').selectAll().execute()).toMatchObject([{ maxC: 30 }])
    expect(await store.db.selectFrom('readingsHourly').selectAll().execute()).toMatchObject([{ count: 2, meanC: 21 }])
  })

  test('no reading is refused for its time: from before all partitions, from one that is gone, from years ahead', async () => {
    await rollUpAll(store, start + 10 * DAY_MS, RETENTION)
    const times = [0, start - 1, start + HOUR_MS, start + 10 * DAY_MS, start + 3000 * DAY_MS]
    for (const time of times) await reading(time, 20).execute()
    expect(await counted()).toEqual({ count: 5, sumC: 100 })
    await rollUpAll(store, start + 10 * DAY_MS, { ...RETENTION, hourlyDays: 0 })
    expect(await counted()).toEqual({ count: 5, sumC: 100 })
    expect(await store.db.selectFrom('readings').select('measuredAt').orderBy('measuredAt').execute()).toEqual([
      { measuredAt: start + 10 * DAY_MS },
      { measuredAt: start + 3000 * DAY_MS },
    ])
  })

  test('a partition whose time came while its first rows lay among the leftovers is made for the time after', async () => {
    const late = start + 200 * DAY_MS
    await reading(late + 1, 20).execute()
    await rollUpAll(store, late, RETENTION)
    await reading(late + 2, 20).execute()
    await reading(late + 6 * HOUR_MS, 20).execute()
    expect(await places()).toEqual(['readings_2040071906', 'readings_default'])
    await rollUpAll(store, late + 3 * DAY_MS, RETENTION)
    expect(await counted()).toEqual({ count: 3, sumC: 60 })
    expect(await places()).toEqual([])
  })

  test('processes that roll up while others write lose nothing and count nothing twice', async () => {
    const other = await opened.openAgain()
    const begin = start + 400 * DAY_MS
    await rollUpAll(store, begin, RETENTION)
    const rows = Array.from({ length: 300 }, (_, i) => reading(begin + i * 5 * 60_000, 1))
    await store.batch(rows)
    const late = Array.from({ length: 60 }, (_, i) => reading(begin + i * 5 * 60_000 + 7, 1))
    const rollUp = (process: Store) => persistently(() => rollUpAll(process, begin + 4 * DAY_MS, RETENTION))
    await Promise.all([rollUp(store), rollUp(other), ...late.map((each) => persistently(() => store.batch([each])))])
    await rollUp(store)
    expect(await counted()).toEqual({ count: 360, sumC: 360 })
    expect(await store.db.selectFrom('readings').selectAll().execute()).toEqual([])
    await other.close()
  })

  test('folding may take longer than any other statement', async () => {
    const hasty = await opened.openAgain({ statementTimeoutMs: 3000 })
    const begin = start + 500 * DAY_MS
    await rollUpAll(store, begin, RETENTION)
    await reading(begin, 7).execute()
    const [partition] = (await store.partitions?.endedBy('readings', begin + DAY_MS)) ?? []
    const slow = sql`insert into readings_hourly select sensor_id, measured_at, 1, 7, 7, 7, 0, null
      from readings, pg_sleep(4) where measured_at = ${begin}`
    expect(partition?.fromMs).toBe(begin)
    await hasty.partitions?.fold(partition as Partition, { compile: () => slow.compile(hasty.db) } as Compilable)
    expect(await counted()).toEqual({ count: 1, sumC: 7 })
    expect(await places()).toEqual([])
    await hasty.close()
  })

  test('decisions, windows and hourly means go with their partitions, when the last of them is due', async () => {
    const begin = start + 600 * DAY_MS
    await rollUpAll(store, begin, RETENTION)
    const [gatewayId, roomId] = [holder.gatewayIds[0] as string, holder.roomIds[0] as string]
    await store.batch([
      store.db
        .insertInto('valveWindows')
        .values({ gatewayId, channel: 1, startedAt: begin, windowS: 900, openS: 1, source: 'command' }),
      store.db.insertInto('decisions').values({ roomId, decidedAt: begin, power: 1, targetC: 20, decision: '{}' }),
    ])
    const kept = async () => [
      (await store.db.selectFrom('valveWindows').select('channel').execute()).length,
      (await store.db.selectFrom('decisions').select('power').execute()).length,
    ]
    const before = await partitionsOf('decisions')
    await rollUpAll(store, begin + 29 * DAY_MS, RETENTION)
    expect(await kept()).toEqual([0, 1])
    await rollUpAll(store, begin + 60 * DAY_MS, RETENTION)
    expect(await kept()).toEqual([0, 0])
    const after = await partitionsOf('decisions')
    expect(before.filter((name) => after.includes(name))).toEqual(['decisions_before', 'decisions_default'])
  })

  test('what a building leaves behind goes with it, from all partitions', async () => {
    const other = await settleHolder(store, new TestClock(), 'eve@example.org', { ...HOUSE, rooms: [] })
    const sensor = { id: 'ff:00', address: 'ff:00', buildingId: other.buildingId, createdAt: 0 }
    await store.db.insertInto('sensors').values(sensor).execute()
    const row = { buildingId: other.buildingId, sensorId: 'ff:00', temperatureC: 1, humidityPct: null }
    await rollUpAll(store, start + 700 * DAY_MS, RETENTION)
    for (const measuredAt of [5, start + 700 * DAY_MS, start + 9000 * DAY_MS])
      await store.db
        .insertInto('readings')
        .values({ ...row, measuredAt })
        .execute()
    expect(await places()).toHaveLength(3)
    await store.db.deleteFrom('buildings').where('id', '=', other.buildingId).execute()
    expect(await places()).toEqual([])
  })
})
