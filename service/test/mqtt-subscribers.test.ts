import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { downTopic, TOPIC_ROOT, upTopic } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import { Aedes } from 'aedes'
import type { IPublishPacket } from 'mqtt'
import { generate } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

let world: MqttWorld
let token: string
const parties: Party[] = []
let lastParty = 0
beforeAll(async () => {
  world = await openMqttWorld()
  token = await world.token()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(parties.splice(0).map((party) => party.leave()))
})
afterAll(() => world.close())

const subscribed = async (filters: string[], qos: 0 | 1 = 1): Promise<Party> => {
  const account = { username: world.cellarId, password: token, clientId: `party${++lastParty}`, reconnectPeriod: 0 }
  const party = await Party.join(world.url, account, [downTopic(world.cellarId, 'power')])
  parties.push(party)
  if (filters.length > 0) await party.client.subscribeAsync(filters, { qos })
  return party
}

/** Its first two bytes. */
const PUBACK = '\x40\x02'
const commitTopic = () => downTopic(world.cellarId, 'commit')
let lastN = 0
const readings = () => {
  const n = ++lastN
  return { n, text: JSON.stringify({ boot: 'subs', n, readings: [reading(BATHROOM_SENSOR, 20, world.clock.now())] }) }
}
/** Sends readings; resolves when they are confirmed, which is after they are stored. */
async function deliver(party: Party): Promise<number> {
  const { n, text } = readings()
  await party.client.publishAsync(upTopic(world.cellarId, 'readings'), text, { qos: 1 })
  return n
}
const commitsTo = ({ heard }: Party): number[] =>
  heard.flatMap(({ topic, text }) => (topic === commitTopic() ? [JSON.parse(text).n as number] : []))

test('a message is confirmed once it is stored, and its commit comes with the confirmation', async () => {
  const party = await subscribed([commitTopic()])
  const lock = new DatabaseSync(join(world.world.test.folder, 'hypocaust.db'), { timeout: 5000 })
  lock.exec('begin immediate')
  let isConfirmed = false
  const { n, text } = readings()
  const publishing = party.client.publishAsync(upTopic(world.cellarId, 'readings'), text, { qos: 1 }).then(() => {
    isConfirmed = true
  })
  await eventually(async () => (await world.metric('hypocaust_gateway_messages_waiting')) === 1)
  expect(isConfirmed).toBe(false)
  const sent: Buffer[] = []
  party.client.stream.on('data', (bytes: Buffer) => sent.push(bytes))
  lock.exec('rollback')
  lock.close()
  await publishing
  await eventually(() => commitsTo(party).includes(n))
  // Commands may come before and after it.
  const withCommit = sent.map((bytes) => bytes.toString('latin1')).find((text) => text.includes(commitTopic()))
  expect(withCommit).toContain(PUBACK)
})

test('a message that comes in one piece with a confirmation is confirmed once it is stored', async () => {
  const party = await subscribed([commitTopic()])
  const publishing = vi.spyOn(Aedes.prototype, 'publish')
  const { n, text } = readings()
  const packet = { topic: upTopic(world.cellarId, 'readings'), payload: text, qos: 1 as const, messageId: 7 }
  const message = generate({ cmd: 'publish', ...packet, dup: false, retain: false })
  party.client.stream.write(Buffer.concat([message, generate({ cmd: 'puback', messageId: 1 })]))
  await eventually(() => commitsTo(party).includes(n))
  expect(publishing.mock.calls.filter(([{ topic }]) => topic === packet.topic)).toEqual([])
})

test('malformed readings are confirmed, so that their gateway does not repeat them', async () => {
  const party = await subscribed([])
  await party.client.publishAsync(upTopic(world.cellarId, 'readings'), 'no JSON', { qos: 1 })
})

test('a commit goes to each connection of the gateway that has subscribed, and past the broker', async () => {
  const [first, second, other] = [
    await subscribed([commitTopic()]),
    await subscribed([commitTopic()]),
    await subscribed([]),
  ]
  const publishing = vi.spyOn(Aedes.prototype, 'publish')
  const n = await deliver(first)
  await eventually(() => commitsTo(first).includes(n) && commitsTo(second).includes(n))
  expect(commitsTo(other)).toEqual([])
  expect(publishing.mock.calls.map(([{ topic }]) => topic)).not.toContain(commitTopic())
})

test('a subscription by pattern is served by the broker', async () => {
  const [exact, pattern] = [
    await subscribed([commitTopic()]),
    await subscribed([`${TOPIC_ROOT}/${world.cellarId}/down/+`]),
  ]
  const n = await deliver(exact)
  await eventually(() => commitsTo(exact).includes(n) && commitsTo(pattern).includes(n))
})

test('after unsubscribing nothing comes any more', async () => {
  const [left, stays] = [await subscribed([commitTopic()]), await subscribed([commitTopic()])]
  await left.client.unsubscribeAsync(commitTopic())
  const n = await deliver(left)
  await eventually(() => commitsTo(stays).includes(n))
  await deliver(left)
  expect(commitsTo(left)).toEqual([])
})

test.each([0, 1] as const)('a message comes with the quality that was subscribed to: %d', async (qos) => {
  const party = await subscribed([commitTopic()], qos)
  const packets: IPublishPacket[] = []
  party.client.on('message', (_topic, _payload, packet) => packets.push(packet))
  await deliver(party)
  await deliver(party)
  await eventually(() => packets.length === 2)
  expect(packets.map((packet) => packet.qos)).toEqual([qos, qos])
  const ids = packets.map(({ messageId }) => messageId)
  expect(ids).toEqual(qos === 0 ? [undefined, undefined] : [0x8000, 0x8001])
})
