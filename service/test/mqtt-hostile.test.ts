import { UP } from '@hypocaust/domain'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { reading, type TestGateway } from '@hypocaust/testing/test-gateway.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: MqttWorld
let gateway: TestGateway
beforeAll(async () => {
  world = await openMqttWorld()
  gateway = await world.gateway()
})
afterAll(() => world.close())

const NAMES = Object.keys(UP) as (keyof typeof UP)[]
const nasty = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  '\u0000',
  '\ud800',
  '__proto__',
  "'; drop table readings; --",
  [],
  {},
  'x'.repeat(5000),
)
const time = fc.oneof(
  nasty,
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '2026-02-30T00:00:00Z'),
)

/** In the agreed form as far as its fields' names go; the values are anything. */
const shaped = fc.record(
  {
    boot: fc.oneof(fc.string(), nasty),
    n: fc.oneof(fc.nat(), nasty),
    backfill: fc.oneof(fc.boolean(), nasty),
    readings: fc.oneof(
      fc.array(
        fc.oneof(
          nasty,
          fc.record(
            {
              id: fc.oneof(fc.constantFrom(BATHROOM_SENSOR, 'ff:01', 'FF:02'), nasty),
              temperature: fc.oneof(fc.double(), nasty),
              humidity: fc.oneof(fc.double(), nasty),
              batt: nasty,
              rssi: nasty,
              timestamp: time,
            },
            { requiredKeys: [] },
          ),
        ),
        { maxLength: 5 },
      ),
      nasty,
    ),
    state: fc.oneof(fc.constantFrom('online', 'offline'), nasty),
    version: fc.oneof(fc.string(), nasty),
    channels: fc.oneof(fc.nat(300), nasty),
    config_revision: fc.oneof(fc.nat(), nasty),
    clock_ok: fc.oneof(fc.boolean(), nasty),
    buffered: fc.oneof(fc.nat(), nasty),
    uptime_s: fc.oneof(fc.double(), nasty),
    timestamp: time,
    epoch: fc.oneof(fc.nat(), nasty),
    seq: fc.oneof(fc.nat(), nasty),
    result: fc.oneof(fc.constantFrom('accepted', 'stale'), nasty),
    channel: fc.oneof(fc.nat(300), nasty),
    start: time,
    window_s: fc.oneof(fc.double(), nasty),
    open_s: fc.oneof(fc.double(), nasty),
    source: fc.oneof(fc.constantFrom('command', 'fallback'), nasty),
  },
  { requiredKeys: [] },
)

const payload: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
  shaped.map((value) => Buffer.from(JSON.stringify(value))),
  fc.constantFrom(Buffer.alloc(0), Buffer.from('['.repeat(100_000)), Buffer.from('{"a":'.repeat(20_000))),
)

const topic = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => name as string),
  fc.constantFrom('readings/deeper', 'readings/', '', 'unknown', 'constructor', '__proto__', 'status\u0000'),
)

test('whatever is said on whatever topic, the service goes on, and the next message is taken in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(topic, payload), { minLength: 1, maxLength: 40 }), async (messages) => {
      if (!gateway.party.client.connected) gateway = await world.gateway()
      for (const [name, bytes] of messages)
        gateway.party.client.publish(`hypocaust/v1/${gateway.id}/up/${name}`, bytes, { qos: 0 })
      const after = await world.gateway(world.atticId)
      await after.deliver([reading('ff:03', 20, world.clock.now())])
      await after.leave()
    }),
    { numRuns: runs(40) },
  )
  expect((await world.world.get(world.world.roomsPath)).status).toBe(200)
  const kept = await world.store.db.selectFrom('readings').selectAll().execute()
  for (const { temperatureC, humidityPct, measuredAt } of kept) {
    expect(temperatureC).toBeGreaterThanOrEqual(-40)
    expect(temperatureC).toBeLessThanOrEqual(85)
    expect(humidityPct ?? 0).toBeGreaterThanOrEqual(0)
    expect(humidityPct ?? 0).toBeLessThanOrEqual(100)
    expect(measuredAt).toBeLessThanOrEqual(world.clock.now())
    expect(measuredAt).toBeGreaterThanOrEqual(0)
  }
})
