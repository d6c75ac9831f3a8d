import type { Readings } from '@hypocaust/domain'
import { rotateToken } from '@hypocaust/service'
import { house as gatewayFile, ID, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import type { TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

const MINUTE_S = 60
const SENSOR = '02:00:00:00:00:05'

let world: MqttWorld
let agent: Simulation
let link: TestGateway
let minute = 0

beforeEach(async () => {
  world = await openMqttWorld()
  const { db } = world.store
  const cellar = await db.selectFrom('gateways').selectAll().where('id', '=', world.cellarId).executeTakeFirstOrThrow()
  await db
    .insertInto('gateways')
    .values({ ...cellar, id: ID, key: 'manifold', name: 'manifold' })
    .execute()
  await db.insertInto('valves').values({ gatewayId: ID, channel: 1, roomId: world.world.bathroomId }).execute()
  await db.updateTable('rooms').set({ fallbackPower: 0.6 }).where('id', '=', world.world.bathroomId).execute()
  agent = new Simulation(gatewayFile(1))
  agent.wallMs = world.clock.now()
  agent.connect({ service: false })
})
afterEach(async () => {
  agent.end()
  await world.close()
})

/** The agent's words go to the real broker, and the service's answers to the agent. */
async function connect(): Promise<void> {
  const token = await rotateToken(world.store, world.clock, ID)
  link = await world.join(ID, { username: ID, password: token ?? '' })
  link.party.client.on('message', (topic, payload) => agent.agent.serviceMessage(topic, payload))
  for (const { topic, text } of link.party.heard) agent.agent.serviceMessage(topic, Buffer.from(text))
  agent.connect()
}

const forward = () => {
  for (const { topic, payload, retain } of agent.service.sent.splice(0))
    link.party.client.publish(topic, payload, { qos: 1, retain })
}

/** All readings under way are stored, and the agent knows, before its time goes on: however slow the machine is. */
async function deliver(): Promise<Readings[]> {
  const messages = agent.service.sent
    .filter(({ topic }) => topic.endsWith('/readings'))
    .map(({ payload }) => JSON.parse(payload) as Readings)
  forward()
  for (const { n, boot } of messages) await link.commit(n, boot)
  return messages
}

/** A second of the house's time, on both clocks. */
function passSecond(): void {
  agent.pass(1)
  world.clock.advance(1000)
}

/** A minute of the house's time, on both clocks; a reading in each. Tells for how many seconds the valve was open. */
function passMinute(): number {
  let openS = 0
  agent.measure(15 + minute++ / 100)
  agent.pass(MINUTE_S, () => {
    openS += agent.isOn(1) ? 1 : 0
  })
  world.clock.advance(MINUTE_S * 1000)
  return openS
}

const history = async () => (await world.history(SENSOR)).map(({ temperatureC }) => temperatureC)

test('the service is away for an hour: the valve follows the fallback, then the backlog fills the history in order', async () => {
  await world.world.patch({ manual_power: { enabled: true, power: 0.2 } })
  await world.world.patch({ hvac_mode: 'heat' })
  await connect()
  await eventually(() => {
    forward()
    return link.heard('config').some(({ fallback }) => fallback.power['1'] === 0.6) && link.heard('power').length > 0
  })
  for (let i = 0; i < 5; i++) passMinute()
  forward()
  await eventually(async () => (await history()).length === 5)

  await link.leave()
  agent.service.connected = false
  agent.service.sent.length = 0
  for (let i = 0; i < 90; i++) passMinute()
  let openS = 0
  for (let i = 0; i < 60; i++) openS += passMinute()
  expect(openS / 3600).toBeCloseTo(0.6, 1)
  expect(await history()).toHaveLength(5)

  await connect()
  // What a slow service has not confirmed is sent again: each counts when it was sent first.
  const order = new Set<number>()
  await eventually(async () => {
    const sent = await deliver()
    const backlog = sent.filter(({ backfill }) => backfill).flatMap(({ readings }) => readings)
    for (const { timestamp } of backlog) order.add(Date.parse(timestamp))
    passSecond()
    return (await history()).length >= minute
  })
  expect([...order]).toEqual([...order].sort((a, b) => a - b))
  expect(await history()).toEqual(Array.from({ length: minute }, (_, i) => Math.round((15 + i / 100) * 100) / 100))

  agent.measure(21.5)
  await eventually(async () => {
    passSecond()
    await deliver()
    return (await newest())?.temperatureC === 21.5
  })
})

const newest = () =>
  world.store.db.selectFrom('sensors').selectAll().where('address', '=', SENSOR).executeTakeFirstOrThrow()
