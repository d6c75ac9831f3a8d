import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain/facts'
import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, HOUSE, LIVING_ROOM_SENSOR, settleHolder } from '@hypocaust/testing/houses.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Retention } from '../src/house/readings/retention.ts'
import { rollUp, rollUpAll } from '../src/house/readings/roll-up.ts'

const RETENTION: Retention = { rawDays: 1, fiveMinuteDays: 3, hourlyDays: 0, decisionDays: 90 }

const clock = new TestClock()
const start = Math.floor(clock.now() / DAY_MS) * DAY_MS

interface Measured {
  sensorId: string
  measuredAt: number
  temperatureC: number
  humidityPct: number | null
}

const at = (measuredAt: number, temperatureC: number, humidityPct: number | null = null): Measured => ({
  sensorId: BATHROOM_SENSOR,
  measuredAt,
  temperatureC,
  humidityPct,
})

type Step = { kind: 'arrive'; readings: Measured[] } | { kind: 'roll up'; atMs: number }

/** Later than any database of these tests was made: there, PostgreSQL has partitions. */
const future = Date.UTC(2040, 0, 1)

const measured = fc.record({
  sensorId: fc.constantFrom(BATHROOM_SENSOR, LIVING_ROOM_SENSOR),
  // Crowded around the edges of buckets, over a few days.
  measuredAt: fc
    .tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 12 }))
    .map(([hours, ms, five]) => future + hours * HOUR_MS + five * 5 * MINUTE_MS + ms),
  temperatureC: fc.integer({ min: -400, max: 850 }).map((tenths) => tenths / 10),
  humidityPct: fc.option(fc.integer({ min: 0, max: 100 })),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('arrive' as const), readings: fc.array(measured, { maxLength: 20 }) }),
  fc.record({
    kind: fc.constant('roll up' as const),
    atMs: fc.integer({ min: 0, max: 8 * 24 * 60 }).map((minutes) => future + minutes * MINUTE_MS),
  }),
)

const totalsOf = (rows: { count: number; meanC: number; humidityCount: number; humidityPct: number | null }[]) => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  sumC: rows.reduce((sum, { count, meanC }) => sum + count * meanC, 0),
  humidityCount: rows.reduce((sum, { humidityCount }) => sum + humidityCount, 0),
  humiditySum: rows.reduce((sum, { humidityCount, humidityPct }) => sum + humidityCount * (humidityPct ?? 0), 0),
})

const asBucket = ({ temperatureC, humidityPct }: Measured) => ({
  count: 1,
  meanC: temperatureC,
  humidityCount: humidityPct === null ? 0 : 1,
  humidityPct,
})

describe.each(ENGINES)('the history on %s', (engine) => {
  let opened: TestStore
  let buildingId: string
  let gatewayId: string
  beforeAll(async () => {
    opened = await openTestStore(engine)
    const holder = await settleHolder(opened.store, clock, 'ada@example.org', HOUSE)
    buildingId = holder.buildingId
    gatewayId = holder.gatewayIds[0] as string
    const ids = [BATHROOM_SENSOR, LIVING_ROOM_SENSOR]
    const sensors = ids.map((id) => ({ id, address: `${id}:00`, buildingId, createdAt: 0 }))
    await opened.store.db.insertInto('sensors').values(sensors).execute()
  })
  afterAll(() => opened.close())
  beforeEach(() => clear())

  const clear = async () => {
    const { db } = opened.store
    await opened.store.batch([
      db.deleteFrom('readings'),
      db.deleteFrom('readingsFiveMinute'),
      db.deleteFrom('readingsHourly'),
      db.deleteFrom('gatewayMessages'),
      db.deleteFrom('valveWindows'),
    ])
  }

  const arrive = (readings: Measured[]) =>
    opened.store.batch(
      readings.map((each) =>
        opened.store.db
          .insertInto('readings')
          .values({ buildingId, ...each })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    )

  const raw = () => opened.store.db.selectFrom('readings').selectAll().orderBy('measuredAt').execute()
  const fine = () => opened.store.db.selectFrom('readingsFiveMinute').selectAll().orderBy('startsAt').execute()
  const hourly = () => opened.store.db.selectFrom('readingsHourly').selectAll().orderBy('startsAt').execute()

  test('keeps every reading for its days, and makes five-minute means of older ones', async () => {
    await arrive([at(start, 20, 40), at(start + MINUTE_MS, 21), at(start + 5 * MINUTE_MS, 30, 60)])
    await rollUpAll(opened.store, start + DAY_MS + 4 * MINUTE_MS, RETENTION)
    expect(await raw()).toHaveLength(3)
    await rollUpAll(opened.store, start + DAY_MS + 5 * MINUTE_MS, RETENTION)
    expect(await raw()).toHaveLength(1)
    expect(await fine()).toEqual([
      {
        sensorId: BATHROOM_SENSOR,
        startsAt: start,
        count: 2,
        meanC: 20.5,
        minC: 20,
        maxC: 21,
        humidityCount: 1,
        humidityPct: 40,
      },
    ])
  })

  test('makes hourly means of five-minute ones, weighted by how many readings they hold', async () => {
    await arrive([at(start, 10), at(start + 1, 10), at(start + 2, 10), at(start + 30 * MINUTE_MS, 30, 50)])
    await rollUpAll(opened.store, start + 4 * DAY_MS, RETENTION)
    expect(await fine()).toEqual([])
    expect(await hourly()).toMatchObject([
      { startsAt: start, count: 4, meanC: 15, minC: 10, maxC: 30, humidityCount: 1, humidityPct: 50 },
    ])
  })

  test('a backlog that comes late joins the means that are there, by weight', async () => {
    await arrive([at(start, 10), at(start + 1, 10), at(start + 2, 10)])
    await rollUpAll(opened.store, start + 4 * DAY_MS, RETENTION)
    await arrive([at(start + 3, 30, 40)])
    await rollUpAll(opened.store, start + 4 * DAY_MS, RETENTION)
    expect(await hourly()).toMatchObject([
      { count: 4, meanC: 15, minC: 10, maxC: 30, humidityCount: 1, humidityPct: 40 },
    ])
  })

  test('a single step moves a bounded span, and says that there is more', async () => {
    await arrive([at(start, 10), at(start + 12 * HOUR_MS, 10)])
    expect(await rollUp(opened.store, start + 2 * DAY_MS, RETENTION)).toBe(true)
    expect(await raw()).toHaveLength(1)
    await rollUp(opened.store, start + 2 * DAY_MS, RETENTION)
    expect(await raw()).toEqual([])
    expect(await rollUp(opened.store, start + 2 * DAY_MS, RETENTION)).toBe(false)
  })

  test('hourly means are kept for ever, or as many days as the setting says', async () => {
    await arrive([at(start, 10), at(start + 2 * DAY_MS, 10)])
    await rollUpAll(opened.store, start + 3000 * DAY_MS, RETENTION)
    expect(await hourly()).toHaveLength(2)
    await rollUpAll(opened.store, start + 11 * DAY_MS, { ...RETENTION, hourlyDays: 10 })
    expect(await hourly()).toMatchObject([{ startsAt: start + 2 * DAY_MS }])
  })

  test('what gateways sent is remembered for sixty days, what valves did as long as raw readings', async () => {
    const { db } = opened.store
    await opened.store.batch([
      db.insertInto('gatewayMessages').values({ gatewayId, boot: 'b', n: 1, receivedAt: start }),
      db
        .insertInto('valveWindows')
        .values({ gatewayId, channel: 1, startedAt: start, windowS: 900, openS: 1, source: 'command' }),
    ])
    const kept = async () => [
      (await db.selectFrom('gatewayMessages').selectAll().execute()).length,
      (await db.selectFrom('valveWindows').selectAll().execute()).length,
    ]
    await rollUpAll(opened.store, start + DAY_MS, RETENTION)
    expect(await kept()).toEqual([1, 1])
    await rollUpAll(opened.store, start + DAY_MS + 1, RETENTION)
    expect(await kept()).toEqual([1, 0])
    await rollUpAll(opened.store, start + 60 * DAY_MS + 1, RETENTION)
    expect(await kept()).toEqual([0, 0])
  })

  test('in whatever order readings arrive and are rolled up, none is lost, none counts twice, and the means hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await clear()
        const known = new Map<string, Measured>()
        for (const each of steps) {
          if (each.kind === 'roll up') {
            await rollUpAll(opened.store, each.atMs, RETENTION)
            continue
          }
          const news = each.readings.filter(({ sensorId, measuredAt }) => !known.has(`${sensorId} ${measuredAt}`))
          for (const one of news) known.set(`${one.sensorId} ${one.measuredAt}`, one)
          const unique = [...new Map(news.map((one) => [`${one.sensorId} ${one.measuredAt}`, one])).values()]
          await arrive(unique)
        }
        for (const sensorId of [BATHROOM_SENSOR, LIVING_ROOM_SENSOR]) {
          const own = <T extends { sensorId: string }>(rows: T[]) => rows.filter((row) => row.sensorId === sensorId)
          const [rawRows, fineRows, hourRows] = [own(await raw()), own(await fine()), own(await hourly())]
          const stored = totalsOf([...rawRows.map(asBucket), ...fineRows, ...hourRows])
          const sent = totalsOf(own([...known.values()]).map(asBucket))
          expect([stored.count, stored.humidityCount]).toEqual([sent.count, sent.humidityCount])
          expect(stored.sumC).toBeCloseTo(sent.sumC, 6)
          expect(stored.humiditySum).toBeCloseTo(sent.humiditySum, 6)
          const temperatures = own([...known.values()]).map(({ temperatureC }) => temperatureC)
          for (const { minC, meanC, maxC } of [...fineRows, ...hourRows]) {
            expect(temperatures).toContain(minC)
            expect(temperatures).toContain(maxC)
            expect(meanC).toBeGreaterThanOrEqual(minC - 1e-9)
            expect(meanC).toBeLessThanOrEqual(maxC + 1e-9)
          }
        }
      }),
      { numRuns: runs(engine === 'sqlite' ? 40 : 6) },
    )
  })
})
