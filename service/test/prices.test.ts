import { mkdtempSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS, type Tariff } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { ProviderServer } from '@hypocaust/testing/provider-server.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { energyFor } from '../src/house/source/energy.ts'
import { choosePrices } from '../src/house/source/prices/choose.ts'
import { publishedPrices } from '../src/house/source/prices/entsoe.ts'
import { withPrices } from '../src/house/source/prices/known.ts'
import { areaOfGateways } from '../src/house/source/prices/market.ts'
import { keepGatewayPrices } from '../src/house/source/prices/of-gateways.ts'
import { pricesByTime } from '../src/house/source/prices/times.ts'
import { updatePrices } from '../src/house/source/prices/updates.ts'
import { readSettings } from '../src/settings.ts'

const NOW_MS = Date.parse('2026-01-10T08:15:03.000Z')
const MIDNIGHT_MS = Date.parse('2026-01-10T00:00:00.000Z')
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const at = (hour: number) => new Date(MIDNIGHT_MS + hour * HOUR_MS).toISOString()

const AWATTAR = {
  data: HOURS.map((hour) => ({
    start_timestamp: MIDNIGHT_MS + hour * HOUR_MS,
    end_timestamp: MIDNIGHT_MS + (hour + 1) * HOUR_MS,
    marketprice: 100 + hour,
    unit: 'Eur/MWh',
  })),
}
const NORD_POOL = {
  multiAreaEntries: HOURS.map((hour) => ({
    deliveryStart: at(hour),
    deliveryEnd: at(hour + 1),
    entryPerArea: { NO1: 100 + hour, NO2: 1 },
  })),
}
const OCTOPUS = {
  results: HOURS.toReversed().map((hour) => ({
    value_exc_vat: 1,
    value_inc_vat: 10 + hour / 10,
    valid_from: at(hour),
    valid_to: at(hour + 1),
  })),
}
const period = (resolution: string, points: string) =>
  `<TimeSeries><Period><timeInterval><start>2026-01-10T00:00Z</start><end>2026-01-11T00:00Z</end></timeInterval>
   <resolution>${resolution}</resolution>${points}</Period></TimeSeries>`
const point = (position: number, price: number) =>
  `<Point><position>${position}</position><price.amount>${price}</price.amount></Point>`
const ENTSOE = `<?xml version="1.0"?><Publication_MarketDocument xmlns="urn:x">${period('PT60M', HOURS.map((hour) => point(hour + 1, 100 + hour)).join(''))}</Publication_MarketDocument>`

describe.each(ENGINES)('prices on %s', (engine) => {
  let world: World
  const server = new ProviderServer()
  const { requests } = server

  beforeAll(async () => {
    world = await openWorld(engine)
    await server.start()
  })

  afterAll(async () => {
    await server.stop()
    await world.close()
  })

  beforeEach(async () => {
    await world.store.batch([world.store.db.deleteFrom('marketPrices')])
    await tariff({ kind: 'market', area: 'NO1' })
    world.clock.startOver()
    server.startOver((response) => response.end(JSON.stringify(AWATTAR)))
  })

  const tariff = (value: Tariff | null) =>
    world.store.db
      .updateTable('buildings')
      .set({ tariff: value && JSON.stringify(value) })
      .where('id', '=', world.holder.buildingId)
      .execute()

  async function update(flags: Record<string, string>): Promise<void> {
    const provider = choosePrices(readSettings({ prices_url: server.url, ...flags }, {}))
    if (!provider) throw new Error('no provider')
    const { store, clock } = world
    await updatePrices({ store, clock, logger: createLogger('silent'), provider, random: () => 0.5 })
  }

  async function known() {
    const row = await world.store.db
      .selectFrom('buildings')
      .select(['id', 'comfort', 'tariff', 'heatSource', 'learnedSource', 'timezone'])
      .where('id', '=', world.holder.buildingId)
      .executeTakeFirstOrThrow()
    return (await energyFor(world.store, row, world.clock.now()))?.prices ?? null
  }

  const eightToTen = [0.108, 0.109, 0.11]

  test.each([
    ['awattar', () => JSON.stringify(AWATTAR), {}],
    ['nord-pool', () => JSON.stringify(NORD_POOL), {}],
    ['octopus', () => JSON.stringify(OCTOPUS), {}],
    ['entsoe', () => ENTSOE, { prices_token: 'secret-token' }],
  ])('%s: the prices from now on reach the law', async (prices, body, flags) => {
    server.answer = (response) => response.end(body())
    await update({ prices, ...flags })
    const ahead = await known()
    expect(ahead?.startMs).toBe(MIDNIGHT_MS + 8 * HOUR_MS)
    ahead?.perKwh.slice(0, 3).forEach((price, i) => {
      expect(price).toBeCloseTo(eightToTen[i] as number)
    })
    expect(ahead?.perKwh.slice(16, 18).map((price) => price.toFixed(3))).toEqual(['0.100', '0.101'])
  })

  test('prices that a gateway reports reach the law with taxes and fees, kept by building', async () => {
    const { store, clock, holder } = world
    const tariff = { kind: 'gateway' as const, factor: 2, surcharge: 0.01 }
    await store.db
      .updateTable('buildings')
      .set({ tariff: JSON.stringify(tariff) })
      .where('id', '=', holder.buildingId)
      .execute()
    const start = new Date(MIDNIGHT_MS + 8 * HOUR_MS).toISOString()
    const prices = { start, step_s: 3600, values: [0.1, 0.2, 0.3] }
    await store.db
      .updateTable('gateways')
      .set({ sourceReport: JSON.stringify({ lock: null, prices }) })
      .where('id', '=', holder.gatewayIds[0] ?? '')
      .execute()
    expect(await known()).toBeNull()
    await keepGatewayPrices(store, clock)
    expect((await known())?.perKwh.slice(0, 3).map((price) => price.toFixed(2))).toEqual(['0.21', '0.41', '0.61'])
    const areas = async () =>
      (await store.db.selectFrom('marketPrices').select('area').execute()).map(({ area }) => area)
    expect(await areas()).toContain(areaOfGateways(holder.buildingId))
  })

  test.each(['awattar', 'nord-pool', 'octopus', 'entsoe'])(
    '%s: a redirect is not followed, as it could lead into the local network',
    async (prices) => {
      const inside = new ProviderServer()
      await inside.start()
      inside.answer = (response) => response.end(JSON.stringify(AWATTAR))
      server.startOver((response) => response.writeHead(302, { location: inside.url }).end())
      await update({ prices, prices_token: 'secret-token' })
      expect(requests).toHaveLength(1)
      expect(inside.requests).toEqual([])
      expect(await known()).toBeNull()
      await inside.stop()
    },
  )

  test('a provider learns the area and the days, and nothing of the building', async () => {
    for (const prices of ['awattar', 'nord-pool', 'octopus', 'entsoe']) {
      await world.store.batch([world.store.db.deleteFrom('marketPrices')])
      await update({ prices, prices_token: 'secret-token' })
    }
    const { buildingId } = world.holder
    const asked = requests.map(({ url, headers }) => `${url} ${JSON.stringify(headers)}`).join('\n')
    expect(asked).toContain('NO1')
    expect(asked).not.toContain(buildingId)
    expect(asked).not.toMatch(/\blat\b|\blng\b|lakeside|cookie|authorization/i)
    expect(requests.filter(({ url }) => url?.includes('secret-token'))).toHaveLength(1)
  })

  test('taxes and fees are added to the price of the market', async () => {
    await update({ prices: 'awattar' })
    await tariff({ kind: 'market', area: 'NO1', factor: 1.2, surcharge: 0.15 })
    expect((await known())?.perKwh[0]).toBeCloseTo(1.2 * 0.108 + 0.15)
  })

  test('an area is asked for once for all its buildings, again when it is due, and not while nobody names one', async () => {
    await update({ prices: 'awattar' })
    await update({ prices: 'awattar' })
    expect(requests).toHaveLength(1)
    world.clock.advance(200 * MINUTE_MS)
    await update({ prices: 'awattar' })
    expect(requests).toHaveLength(2)
    await tariff({ kind: 'fixed', price: 0.3 })
    world.clock.advance(2000 * MINUTE_MS)
    await update({ prices: 'awattar' })
    expect(requests).toHaveLength(2)
  })

  test.each([
    ['an error', (response: ServerResponse) => response.writeHead(503).end()],
    ['nonsense', (response: ServerResponse) => response.end('<html>')],
    ['another form', (response: ServerResponse) => response.end('{"data":[{"price":"much"}]}')],
    ['a way elsewhere', (response: ServerResponse) => response.writeHead(302, { location: '/other' }).end()],
  ])('%s as an answer keeps the last prices, and the next attempt is a while away', async (_, bad) => {
    await update({ prices: 'awattar' })
    const before = await known()
    world.clock.advance(200 * MINUTE_MS)
    server.answer = bad
    await update({ prices: 'awattar' })
    await update({ prices: 'awattar' })
    expect(requests).toHaveLength(2)
    world.clock.advance(-200 * MINUTE_MS)
    expect(await known()).toEqual(before)
  })

  test('a file has the same prices for every area', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'prices-')), 'prices.yaml')
    writeFileSync(file, `start: 2026-01-10T08:00:00Z\nstep_minutes: 15\nprices: [0.1, 0.2, 0.3, 0.4]\n`)
    await update({ prices: 'file', prices_file: file })
    expect(await known()).toMatchObject({ startMs: MIDNIGHT_MS + 8.25 * HOUR_MS, stepS: 900 })
    expect((await known())?.perKwh.slice(0, 3)).toEqual([0.2, 0.3, 0.4])
  })

  test('a fixed price is no reason to heat at one time rather than another', async () => {
    await tariff({ kind: 'fixed', price: 0.3 })
    expect(await known()).toBeNull()
  })
})

test('ENTSO-E wants a token, a file a path, and neither is missing without a word', () => {
  expect(() => choosePrices(readSettings({ prices: 'entsoe' }, {}))).toThrow(/prices_token/)
  expect(() => choosePrices(readSettings({ prices: 'file' }, {}))).toThrow(/prices_file/)
  expect(choosePrices(readSettings({}, {}))).toBeUndefined()
  expect(() => readSettings({ prices_url: 'file:///etc/passwd' }, {})).toThrow(/prices-url/)
})

test('positions that ENTSO-E leaves out repeat the one before, and quarter hours count before hours', () => {
  const left = publishedPrices(period('PT60M', point(1, 50) + point(4, 80)))
  expect(left.slice(0, 5).map(({ perKwh }) => perKwh)).toEqual([0.05, 0.05, 0.05, 0.08, 0.08])
  const both = publishedPrices(period('PT15M', point(1, 10) + point(2, 20)) + period('PT60M', point(1, 50)))
  expect(withPrices(null, both, NOW_MS)?.perKwh.slice(14 * 96, 14 * 96 + 3)).toEqual([0.01, 0.02, 0.02])
})

test('any text for ENTSO-E is read without a crash, into finite prices', () => {
  const bits = fc.constantFrom('<Period>', '</Period>', '<Point>', '<position>1</position>', ENTSOE, '<start>', 'x')
  fc.assert(
    fc.property(fc.array(fc.oneof(bits, fc.string())), (parts) => {
      for (const { fromMs, toMs, perKwh } of publishedPrices(parts.join('')))
        expect([fromMs, toMs, perKwh].every(Number.isFinite)).toBe(true)
    }),
  )
})

test('what has arrived is kept for a fortnight and what arrives later wins', () => {
  const span = (day: number, perKwh: number) => ({
    fromMs: MIDNIGHT_MS + day * 24 * HOUR_MS,
    toMs: MIDNIGHT_MS + (day + 1) * 24 * HOUR_MS,
    perKwh,
  })
  const first = withPrices(null, [span(-20, 9), span(-1, 1), span(0, 2)], NOW_MS)
  const later = withPrices(first, [span(0, 3), span(1, 4)], NOW_MS + 24 * HOUR_MS)
  expect(first?.stepS).toBe(3600)
  const daily = (known: typeof first) => known?.perKwh.filter((_, i) => i % 24 === 0)
  expect(daily(first)?.filter((price) => price !== null)).toEqual([1, 2])
  expect(daily(later)?.filter((price) => price !== null)).toEqual([1, 3, 4])
  expect(withPrices(first, [], NOW_MS)).toBe(first)
})

test('a table by time of day follows the local clock, also on the day the clocks change', () => {
  const steps = [
    { at: '22:00', price: 0.2 },
    { at: '06:00', price: 0.3 },
  ]
  const changeMs = Date.parse('2026-03-28T21:30:00.000Z')
  const prices = pricesByTime(steps, 'Europe/Berlin', changeMs)
  const hourly = prices?.perKwh.filter((_, i) => i % 4 === 0)
  // From 22:30 at 1 h before UTC to 06:00 at 2 h before UTC: seven hours by night, not eight.
  expect(hourly?.slice(0, 8)).toEqual([0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.3])
  expect(pricesByTime([], 'Europe/Berlin', changeMs)).toBeNull()
})
