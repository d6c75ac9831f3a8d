import { upTopic } from '@hypocaust/domain'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
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
    ...{ store: world.store, clock: world.clock, metrics: createMetrics(), logger: createLogger('silent') },
    ...{ onReadings: () => {}, onGatewayOnline: () => {} },
    link: {
      isUp: true,
      start: async () => {},
      publish: async (_, payload) => committed.push(JSON.parse(payload).n) > 0,
      stopHearing: async () => {},
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

/** Whether what waits is written within so long. */
function isDueWithin(ms: number): boolean {
  vi.advanceTimersByTime(ms)
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

test('where many come together, the next ones are gathered for a second, until few come', async () => {
  const many = send(8)
  expect(isDueWithin(250)).toBe(true)
  await written(many)
  const few = send(7)
  expect(isDueWithin(999)).toBe(false)
  expect(isDueWithin(1)).toBe(true)
  await written(few)
  const last = send(1)
  expect(isDueWithin(250)).toBe(true)
  await written(last)
})

test('a full batch does not wait', async () => {
  const many = send(200)
  expect(isDueWithin(0)).toBe(true)
  await written(many)
})
