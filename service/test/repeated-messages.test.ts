import { upTopic } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { NO_TRACES } from '../src/base/tracing/tracer.ts'
import { Ingest } from '../src/doors/mqtt/ingest.ts'
import type { Store } from '../src/store/store.ts'

describe.each(ENGINES)('messages that come again, on %s', (engine) => {
  let world: World
  let gatewayId: string
  let ingest: Ingest
  let committed: number[]
  let confirmed: number
  /** How many batches each write held; the first is the lock where the engine has one. */
  let writes: number[]
  let boot = 0

  beforeAll(async () => {
    world = await openWorld(engine)
    gatewayId = (await world.store.db.selectFrom('gateways').select('id').executeTakeFirstOrThrow()).id
  })
  afterAll(() => world.close())

  beforeEach(() => {
    committed = []
    confirmed = 0
    writes = []
    boot++
    const store: Store = {
      ...world.store,
      batchEach(batches) {
        writes.push(batches.filter(({ queries }) => queries.length > 1).length)
        return world.store.batchEach(batches)
      },
    }
    ingest = new Ingest({
      ...{ store, clock: world.clock, metrics: createMetrics(), tracer: NO_TRACES, logger: createLogger('silent') },
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

  function send(...numbers: number[]): void {
    for (const n of numbers) {
      const reading = {
        id: 'aa:bb:cc:dd:ee:01',
        temperature: 20 + n / 100,
        timestamp: new Date(world.clock.now()).toISOString(),
      }
      const payload = Buffer.from(JSON.stringify({ boot: `boot ${boot}`, n, readings: [reading] }))
      ingest.accept({ topic: upTopic(gatewayId, 'readings'), payload, confirm: () => void confirmed++ })
    }
  }

  const stored = async () =>
    (
      await world.store.db
        .selectFrom('gatewayMessages')
        .select('n')
        .where('boot', '=', `boot ${boot}`)
        .orderBy('n')
        .execute()
    ).map(({ n }) => n)

  test('several times at once are written once, and committed each time', async () => {
    send(1, 2, 1, 1, 2, 3)
    await eventually(() => committed.length === 6)
    expect(writes).toEqual([3])
    expect(confirmed).toBe(6)
    expect(await stored()).toEqual([1, 2, 3])
  })

  test('after they were stored are committed, and once some have come the rest costs no write', async () => {
    send(1, 2, 3)
    await eventually(() => committed.length === 3)
    send(1, 2, 3)
    await eventually(() => committed.length === 6)
    send(1, 2, 3)
    await eventually(() => committed.length === 9)
    send(2, 3, 4)
    await eventually(() => committed.length === 12)
    send(5)
    await eventually(() => committed.length === 13)
    expect(writes).toEqual([3, 3, 1, 1])
    expect(await stored()).toEqual([1, 2, 3, 4, 5])
  })
})
