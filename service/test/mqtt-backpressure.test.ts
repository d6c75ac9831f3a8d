import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { upTopic } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

const MB = 1024 * 1024

let world: MqttWorld
let lock: DatabaseSync
beforeEach(async () => {
  world = await openMqttWorld()
  lock = new DatabaseSync(join(world.world.test.folder, 'hypocaust.db'), { timeout: 5000 })
})
afterEach(() => world.close())

const unlock = () => {
  lock.exec('rollback')
  lock.close()
}
const waiting = () => world.metric('hypocaust_gateway_messages_waiting')

test('while the database is locked senders wait, and afterwards everything is stored and committed', async () => {
  const messages = 4000
  const gateway = await world.gateway()
  lock.exec('begin immediate')
  const at = world.clock.now()
  for (let i = 0; i < messages; i++) gateway.sendReadings([reading(BATHROOM_SENSOR, 20, at - i)])
  await eventually(async () => (await waiting()) > 0)
  expect(gateway.heard('commit')).toEqual([])
  expect((await world.world.get(world.world.buildingPath)).status).toBe(200)
  unlock()
  await eventually(() => gateway.heard('commit').length === messages)
  expect(await world.history(BATHROOM_SENSOR)).toHaveLength(messages)
  expect(await waiting()).toBe(0)
})

test.each([0, 1] as const)('large messages with QoS %i are held back long before they fill the memory', async (qos) => {
  const gateway = await world.gateway()
  lock.exec('begin immediate')
  const padding = 'x'.repeat(250_000)
  const total = 250
  for (let n = 0; n < total; n++)
    gateway.party.client.publish(upTopic(gateway.id, 'readings'), JSON.stringify({ boot: 'large', n, padding }), {
      qos,
    })
  await eventually(async () => (await waiting()) * padding.length >= 8 * MB)
  // Enough turns of the event loop to read all of them.
  for (let turn = 0; turn < 5000; turn++) await new Promise(setImmediate)
  expect((await waiting()) * padding.length).toBeLessThan(12 * MB)
  // The rest of the sixty megabytes is still with the sender.
  expect(gateway.party.client.stream.writableLength).toBeGreaterThan(30 * MB)
  unlock()
  await eventually(() => gateway.heard('commit').length === total)
})

test('stopping waits until what has arrived is stored', async () => {
  const gateway = await world.gateway()
  lock.exec('begin immediate')
  gateway.sendReadings([reading(BATHROOM_SENSOR, 20, world.clock.now())])
  await eventually(async () => (await waiting()) === 1)
  const stopping = world.mqtt.stop()
  unlock()
  await stopping
  expect(await world.history(BATHROOM_SENSOR)).toHaveLength(1)
})
