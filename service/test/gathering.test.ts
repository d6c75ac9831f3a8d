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

test('while many come, they are gathered for a second', async () => {
  const sent: number[] = []
  for (let quarter = 0; quarter < 4; quarter++) {
    sent.push(...send(7))
    expect(isDueWithin(200)).toBe(false)
    sent.push(...send(1))
    expect(isDueWithin(49)).toBe(false)
    expect(isDueWithin(1)).toBe(quarter === 3)
  }
  await written(sent)
})

test('many that came at once wait no longer than one: their senders may wait for the commit', async () => {
  for (let round = 0; round < 2; round++) {
    const many = send(80)
    expect(isDueWithin(249)).toBe(false)
    expect(isDueWithin(1)).toBe(true)
    await written(many)
  }
})

test.each([
  ['enough that wait', 32],
  ['a few that still come', 7],
])('%s wait no longer than one', async (_what, count) => {
  const sent = send(count - 1)
  isDueWithin(200)
  sent.push(...send(1))
  expect(isDueWithin(50)).toBe(true)
  await written(sent)
})

test('a full batch does not wait', async () => {
  const many = send(200)
  expect(isDueWithin(0)).toBe(true)
  await written(many)
})
