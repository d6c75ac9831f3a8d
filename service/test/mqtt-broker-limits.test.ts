import { TOPIC_ROOT, upTopic } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { EMBEDDED, type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { generate } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { startMqtt } from '../src/doors/mqtt/run.ts'
import { Callers, closed, ended, handshake, partsOf } from './mqtt-callers.ts'

let world: MqttWorld
const callers = new Callers()
beforeAll(async () => {
  world = await openMqttWorld()
})
afterAll(() => world.close())
afterEach(async () => {
  vi.useRealTimers()
  await callers.endAll()
  await world.leaveAll()
})

test('a packet announced as too large ends the connection before any of it is kept', async () => {
  const token = await world.token()
  const socket = callers.socket(world.mqtt.address.port)
  const end = ended(socket)
  socket.write(
    handshake({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: 'large',
      keepalive: 0,
      username: world.cellarId,
      password: Buffer.from(token),
    }),
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.write(Buffer.from([0x30, 0x80, 0x84, 0xaf, 0x5f]))
  await end
})

test('the same before signing in', async () => {
  const socket = callers.socket(world.mqtt.address.port)
  const end = ended(socket)
  socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]))
  await end
})

test('a message of a quarter megabyte is the most', async () => {
  const gateway = await world.gateway()
  const padded = (bytes: number) => JSON.stringify({ boot: gateway.boot, n: bytes, padding: 'x'.repeat(bytes) })
  await gateway.sayRaw(upTopic(gateway.id, 'readings'), padded(261_000))
  await gateway.commit(261_000)
  const gone = closed(gateway.party.client)
  gateway.party.client.publish(upTopic(gateway.id, 'readings'), padded(263_000), { qos: 0 })
  await gone
})

test('beyond the most connections, the next is turned away, and gets in when one has left', async () => {
  const options = { ...EMBEDDED.options, connections: { most: 2, mostPerAddress: 0 } }
  const small = await startMqtt({ ...partsOf(world), broker: { kind: 'embedded', options } })
  const url = `mqtt://127.0.0.1:${small.address.port}`
  const credentials = { username: world.cellarId, password: await world.token() }
  const first = await callers.connect(url, credentials)
  await callers.connect(url, credentials)
  await expect(callers.connect(url, credentials)).rejects.toThrow()
  await first.endAsync()
  await eventually(() => callers.connect(url, credentials).catch(() => undefined))
  await small.stop()
})

test('one address cannot take the connections of all others, which is logged and counted', async () => {
  const lines: string[] = []
  const logger = createLogger('warn', { write: (line) => void lines.push(line) })
  const metrics = createMetrics()
  const options = { ...EMBEDDED.options, connections: { most: 100, mostPerAddress: 3 } }
  const small = await startMqtt({ ...partsOf(world), logger, metrics, broker: { kind: 'embedded', options } })
  const greedy = Array.from({ length: 10 }, () => callers.socket(small.address.port, '127.0.0.2'))
  const turnedAway = () => greedy.filter(({ closed }) => closed).length
  await eventually(() => turnedAway() === 7)
  const credentials = { username: world.cellarId, password: await world.token() }
  await (await callers.connect(`mqtt://127.0.0.1:${small.address.port}`, credentials)).endAsync()
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['connections refused: 3 are open from one address'])
  expect(await metrics.registry.metrics()).toContain('hypocaust_connections_refused_total{door="mqtt"} 7')
  await small.stop()
})

test('a connection on which nobody signs in is closed after five seconds, which is logged and counted', async () => {
  const lines: string[] = []
  const logger = createLogger('warn', { write: (line) => void lines.push(line) })
  const metrics = createMetrics()
  const broker = await startMqtt({ ...partsOf(world), logger, metrics, broker: EMBEDDED })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const socket = callers.socket(broker.address.port).resume()
  const end = ended(socket)
  const before = vi.getTimerCount()
  while (vi.getTimerCount() === before) await new Promise(setImmediate)
  vi.advanceTimersByTime(4999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'MQTT connections closed: no gateway signed in on them in time',
  ])
  await end
  expect(await metrics.registry.metrics()).toContain('hypocaust_connections_refused_total{door="mqtt"} 1')
  await broker.stop()
})

test('a message with the packet id 0, which MQTT does not have, ends the connection', async () => {
  const gateway = await world.gateway()
  const gone = closed(gateway.party.client)
  const topic = upTopic(gateway.id, 'readings')
  const packet = generate({ cmd: 'publish', topic, payload: '{}', qos: 1, messageId: 1, dup: false, retain: false })
  packet.writeUInt16BE(0, packet.length - 4)
  gateway.party.client.stream.write(packet)
  await gone
})

test('more than a hundred subscriptions are refused', async () => {
  const gateway = await world.gateway()
  const filters = Array.from({ length: 100 }, (_, i) => `${TOPIC_ROOT}/${gateway.id}/down/${i}`)
  const refused = await gateway.party.client.subscribeAsync(filters).then(
    (grants) => grants.filter(({ qos }) => qos === 128).length,
    () => 1,
  )
  expect(refused).toBe(1)
})
