import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BATHROOM_SENSOR } from './harness.ts'
import { eventually, type MqttWorld, openMqttWorld, reading } from './mqtt-harness.ts'

const MESSAGES = 3000

let world: MqttWorld
beforeEach(async () => {
  world = await openMqttWorld()
})
afterEach(() => world.close())

test('while the database is locked senders wait, and afterwards everything is stored and committed', async () => {
  const gateway = await world.gateway()
  const lock = new DatabaseSync(join(world.world.test.folder, 'hypocaust.db'))
  lock.exec('begin immediate')
  const at = world.clock.now()
  for (let i = 0; i < MESSAGES; i++) gateway.sendReadings([reading(BATHROOM_SENSOR, 20, at - i)])
  await new Promise((r) => setTimeout(r, 1500))
  expect(gateway.heard('commit')).toEqual([])
  lock.exec('commit')
  lock.close()
  await eventually(() => gateway.heard('commit').length >= MESSAGES)
  expect(await world.history(BATHROOM_SENSOR)).toHaveLength(MESSAGES)
})
