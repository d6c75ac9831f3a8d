import { upTopic } from '@hypocaust/domain'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { NO_TRACES } from '../src/base/tracing/tracer.ts'
import { Ingest } from '../src/doors/mqtt/ingest.ts'

let world: World
let gatewayId: string
let ingest: Ingest
/** Of messages that are stored, in the order of their commits. */
let committed: number[]
let lastN = 0

beforeAll(async () => {
  world = await openWorld('sqlite')
  gatewayId = (await world.store.db.selectFrom('gateways').select('id').executeTakeFirstOrThrow()).id
})
afterAll(() => world.close())

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  committed = []
  ingest = new Ingest({
    ...{
      store: world.store,
      clock: world.clock,
      metrics: createMetrics(),
      tracer: NO_TRACES,
      logger: createLogger('silent'),
    },
    ...{ onReadings: () => {}, onGatewayOnline: () => {}, onHeatRequest: () => {} },
    link: {
      isUp: true,
      start: async () => {},
      publish: async (_, payload) => committed.push(JSON.parse(payload).n) > 0,
      stopReceiving: async () => {},
      stop: async () => {},
    },
  })
})
afterEach(async () => {
  await ingest.stop()
  vi.useRealTimers()
})

function send(count: number): number[] {
  const numbers = Array.from({ length: count }, () => ++lastN)
  for (const n of numbers) {
    const payload = Buffer.from(JSON.stringify({ boot: 'gathering', n, readings: [] }))
    ingest.accept({ topic: upTopic(gatewayId, 'readings'), payload })
  }
  return numbers
}

/** Whether what waits is due to be written within so long. */
function isDueWithin(ms: number): boolean {
  for (let passed = 0; passed < ms; passed++) {
    world.clock.advance(1)
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(0)
  return vi.getTimerCount() === 0
}

async function written(numbers: number[]): Promise<void> {
  while (!numbers.every((n) => committed.includes(n))) await new Promise(setImmediate)
  await new Promise(setImmediate)
}

test('a message waits a quarter of a second for others', async () => {
  const first = send(1)
  expect(isDueWithin(249)).toBe(false)
  const second = send(1)
  expect(isDueWithin(1)).toBe(true)
  await written([...first, ...second])
})

test('many that came at once wait no longer than one: their senders may wait for the commit', async () => {
  for (let round = 0; round < 2; round++) {
    const many = send(80)
    expect(isDueWithin(249)).toBe(false)
    expect(isDueWithin(1)).toBe(true)
    await written(many)
  }
})

test('a full batch does not wait', async () => {
  const many = send(200)
  expect(isDueWithin(0)).toBe(true)
  await written(many)
})
