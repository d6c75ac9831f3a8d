import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES, openTestStore } from '@hypocaust/testing/database.ts'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { isGateway } from '../../service/src/house/gateways/gateways.ts'
import { roomsOf } from '../../service/src/house/rooms/rooms.ts'
import { authenticate } from '../../service/src/people/keys/keys.ts'
import type { Store } from '../../service/src/store/store.ts'
import { diskPerBuilding, perBuildingMinute } from '../src/load/capacity.ts'
import { costsOf, type Turn } from '../src/load/costs.ts'
import { fill, openPostgresDatabase, openSqliteFile } from '../src/load/database.ts'
import { ROOMS } from '../src/load/houses.ts'
import { readLoadOptions } from '../src/load/options.ts'
import { atRate, spreadOf } from '../src/load/pace.ts'
import { loadPlot } from '../src/load/plot.ts'
import { type LoadResult, thisMachine } from '../src/load/result.ts'
import { carried, type Step } from '../src/load/rise.ts'
import { withLoadFigures } from '../src/load/scale-page.ts'

describe.each(ENGINES)('houses filled in by SQL on %s', (engine) => {
  test('are houses to the service: the key opens them, the gateway signs in, the rooms are there', async () => {
    const { store, folder, close } = await openTestStore(engine)
    const database = engine === 'sqlite' ? openSqliteFile(folder) : await openPostgresDatabase(await urlOf(store))
    const houses = await fill(database, 3, () => {})
    await database.close()
    for (const { key, gatewayId, gatewayToken, buildingId, roomIds } of houses) {
      expect(await authenticate(store, new TestClock(), key)).toMatchObject({ key: { permission: 'write' } })
      expect(await isGateway(store, gatewayId, gatewayToken)).toBe(true)
      expect((await roomsOf(store, buildingId)).map(({ id }) => id)).toEqual(roomIds)
    }
    expect(houses[0]?.roomIds).toHaveLength(ROOMS)
    await close()
  })
})

async function urlOf({ db }: Store): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  return `${inject('postgresUrl')}/${rows[0]?.name}`
}

test('the pace is kept in number, and each act is given the time it was due', async () => {
  const due: number[] = []
  expect(await atRate(1000, 0.05, (dueMs) => due.push(dueMs))).toBe(50)
  expect(due).toHaveLength(50)
  expect((due[49] ?? 0) - (due[0] ?? 0)).toBeCloseTo(49, 6)
})

test('half of the waits are below the median, one of a hundred above p99', () => {
  const waits = Array.from({ length: 1000 }, (_, i) => 1000 - i)
  expect(spreadOf(waits)).toEqual({ p50Ms: 501, p99Ms: 991 })
})

const step = (buildings: number, saturated: string | null): Step => ({
  buildings,
  readingsPerS: buildings / 15,
  commit: { p50Ms: 30, p99Ms: 90 },
  pollsPerS: buildings / 30,
  poll: { p50Ms: 2, p99Ms: 9 },
  notModified: 0.5,
  controlStepsPerS: buildings / 15,
  serviceCores: 0.5,
  databaseCores: 0.2,
  residentMb: 200,
  saturated,
})

test('what is carried is the last step before saturation, and it stands in the plot', () => {
  const steps = [step(600, null), step(900, null), step(1400, 'commits fell behind')]
  expect(carried(steps)?.buildings).toBe(900)
  expect(carried([step(600, 'polls fell behind')])).toBeUndefined()
  const cost = { serviceUs: 300, databaseUs: 100 }
  const costs = { pollUnchanged: cost, pollChanged: cost, patch: cost, reading: cost, controlTick: cost }
  const result: LoadResult = {
    measuredAt: '2026-01-10T08:15:03.000Z',
    tookS: 500,
    quick: false,
    machine: thisMachine(),
    building: { rooms: 4, messagesPerMinute: 1, pollsPerMinute: 2 },
    engines: { postgres: { steps, costs, planUs: 3000, size: { readingsMb: 150, messagesMb: 30 } } },
    ingest: null,
    flat: null,
    missing: [],
  }
  const drawn = loadPlot(result)
  expect(drawn).toContain('>900</text>')
  expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
})

test('the page about scale has the figures of the results that are kept', () => {
  const root = join(import.meta.dirname, '../..')
  const page = readFileSync(join(root, 'docs/scale.md'), 'utf8')
  const kept = JSON.parse(readFileSync(join(root, 'bench/results/load.json'), 'utf8')) as LoadResult
  expect(withLoadFigures(page, kept)).toBe(page)
  expect(() => withLoadFigures('a page without marks', kept)).toThrow(/no place for figures/)
})

test('a building for a minute is its readings, ticks, plans and polls', () => {
  const cost = (serviceUs: number) => ({ serviceUs, databaseUs: serviceUs / 10 })
  const engine = {
    steps: [],
    costs: {
      pollUnchanged: cost(100),
      pollChanged: cost(300),
      patch: cost(0),
      reading: cost(200),
      controlTick: cost(400),
    },
    planUs: 3000,
    size: { readingsMb: 100, messagesMb: 25 },
  }
  const { serviceUs, databaseUs } = perBuildingMinute(engine)
  expect(serviceUs).toBeCloseTo(4 * (200 + 400) + 4 * 100 + 400)
  expect(databaseUs).toBeCloseTo(4 * 60 + 40)
  // 14 days of minutes and 92 of five minutes at 100 bytes, and 60 days of messages at 100 bytes.
  expect(diskPerBuilding(engine).mb).toBeCloseTo((4 * (20_160 + 26_496) * 100 + 86_400 * 100) / 1e6)
})

test('costs are less what the service does anyway, which one unusual turn does not move', () => {
  const phase = (serviceUs: number, count: number) => ({ serviceUs, databaseUs: 0, tookS: 2, count })
  const turn = (idleUs: number): Turn => ({
    idle: phase(2 * idleUs, 1),
    pollUnchanged: phase(12_000, 100),
    pollChanged: phase(12_000, 100),
    patch: phase(12_000, 100),
    stored: phase(42_000, 100),
    live: phase(82_000, 100),
  })
  const { costs, turns, idle } = costsOf([turn(1000), turn(20_000), turn(1000)])
  expect(idle.map(({ serviceUs }) => serviceUs)).toEqual([1000, 20_000, 1000])
  expect(costs.pollChanged.serviceUs).toBe(100)
  expect(turns.map(({ reading }) => reading.serviceUs)).toEqual([100, 100, 100])
  expect(costs.controlTick.serviceUs).toBe(100)
})

test('options say what is wrong with them', () => {
  expect(() => readLoadOptions(['--engine', 'oracle'])).toThrow(/No such engine: oracle/)
  expect(readLoadOptions(['--engine', 'postgres,postgres', '--quick'])).toMatchObject({
    engines: ['postgres'],
    quick: true,
    outFile: null,
  })
  expect(readLoadOptions([])).toMatchObject({ engines: ['sqlite', 'postgres'], outFile: 'bench/results/load.json' })
})
