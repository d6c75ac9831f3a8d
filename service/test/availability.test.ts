import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { reading, type TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let world: MqttWorld
let gateway: TestGateway
beforeAll(async () => {
  world = await openMqttWorld()
  gateway = await world.gateway()
})
afterAll(() => world.close())
afterEach(async () => {
  await world.store.db.updateTable('gateways').set({ lastSeenAt: null }).execute()
  gateway.forget()
})

const now = () => world.clock.now()
const iso = (ms: number) => new Date(ms).toISOString()
const building = async () => (await world.world.get(world.world.buildingPath)).json

test('availability is null until a gateway has spoken', async () => {
  expect(await building()).toMatchObject({ available: null, last_seen: null })
})

test('readings and status alone are no heartbeat', async () => {
  gateway.say('status', { state: 'online', boot: gateway.boot })
  await gateway.deliver([reading(BATHROOM_SENSOR, 20, now())])
  expect((await building()).available).toBeNull()
})

test('availability is true for five minutes after a heartbeat by the server’s clock, then false', async () => {
  await world.beat(gateway, { timestamp: '2001-01-01T00:00:00.000Z' })
  const seen = iso(now())
  expect(await building()).toMatchObject({ available: true, last_seen: seen })
  world.clock.advance(5 * MINUTE_MS)
  expect(await building()).toMatchObject({ available: true, last_seen: seen })
  world.clock.advance(1)
  expect(await building()).toMatchObject({ available: false, last_seen: seen })
  await world.beat(gateway)
  expect(await building()).toMatchObject({ available: true, last_seen: iso(now()) })
})

test('the newest heartbeat of any gateway of the building counts', async () => {
  const attic = await world.gateway(world.atticId)
  await world.beat(gateway)
  world.clock.advance(4 * MINUTE_MS)
  await world.beat(attic)
  const seen = iso(now())
  world.clock.advance(4 * MINUTE_MS)
  expect(await building()).toMatchObject({ available: true, last_seen: seen })
  world.clock.advance(MINUTE_MS + 1)
  expect((await building()).available).toBe(false)
  await attic.leave()
})
