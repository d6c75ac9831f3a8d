import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { downTopic, TOPIC_ROOT, upTopic } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import fc from 'fast-check'
import type { IPublishPacket } from 'mqtt'
import { generate, type Packet, parser } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let world: MqttWorld
let token: string
let database: DatabaseSync
const sockets: Socket[] = []
const parties: Party[] = []
beforeAll(async () => {
  world = await openMqttWorld()
  token = await world.token()
  database = new DatabaseSync(join(world.world.test.folder, 'hypocaust.db'), { timeout: 5000 })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(parties.splice(0).map((party) => party.leave()))
})
afterAll(async () => {
  database.close()
  await world.close()
})

/** How often readings of this sensor are stored, as anybody else sees the database at this moment. */
const storedOf = (sensor: string): number =>
  Number(
    database
      .prepare('select count(*) as n from readings join sensors on sensors.id = readings.sensor_id where address = ?')
      .get(sensor)?.n,
  )

interface RawGateway {
  socket: Socket
  heard: Packet[]
}

/** A gateway whose every byte the test chooses. */
function rawGateway(onPacket: (packet: Packet) => void = () => {}): RawGateway {
  const socket = connect({ port: world.mqtt.address.port, host: '127.0.0.1', noDelay: true })
  sockets.push(socket)
  socket.on('error', () => {})
  const heard: Packet[] = []
  const packets = parser()
  packets.on('packet', (packet) => {
    onPacket(packet)
    heard.push(packet)
  })
  socket.on('data', (bytes: Buffer) => packets.parse(bytes))
  return { socket, heard }
}

const signIn = (keepalive = 0): Buffer =>
  generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: 'raw',
    keepalive,
    username: world.cellarId,
    password: Buffer.from(token),
  })

const subscribe = (): Buffer =>
  generate({
    cmd: 'subscribe',
    messageId: 1,
    subscriptions: [{ topic: downTopic(world.cellarId, 'commit'), qos: 1 }],
  })

const publish = (name: 'readings' | 'heartbeat' | 'window', payload: object | Buffer, messageId: number): Buffer =>
  generate({
    cmd: 'publish',
    topic: upTopic(world.cellarId, name),
    payload: Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    qos: 1,
    messageId,
    dup: false,
    retain: false,
  })

const confirmed = (heard: Packet[]) => heard.flatMap((each) => (each.cmd === 'puback' ? [each.messageId ?? 0] : []))
const committed = (heard: Packet[]) =>
  heard.flatMap((each) => (each.cmd === 'publish' ? [JSON.parse(String(each.payload)).n as number] : []))
const inOrder = (numbers: number[]) => numbers.sort((a, b) => a - b)

let boots = 0
const sensorOf = (boot: number, id: number) =>
  `b0:${[boot >> 8, boot & 255, id].map((n) => n.toString(16).padStart(2, '0')).join(':')}`

async function writeInPieces(socket: Socket, bytes: Buffer, cuts: number[]): Promise<void> {
  const edges = [0, ...inOrder(cuts.map((each) => each % bytes.length)), bytes.length]
  for (const [i, from] of edges.slice(0, -1).entries()) {
    await new Promise((resolve) => socket.write(bytes.subarray(from, edges[i + 1]), resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('however the bytes are cut, a message is confirmed when it is stored, and stored and committed once', async () => {
  const kinds = fc.array(fc.constantFrom('readings' as const, 'heartbeat' as const, 'confirmation' as const), {
    minLength: 1,
    maxLength: 8,
  })
  const cuts = fc.array(fc.nat(2000), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(kinds, cuts, fc.boolean(), async (sent, cutAt, afterSigningIn) => {
      const number = boots++
      const boot = `bytes${number}`
      const at = world.clock.now()
      const messages = sent.map((kind, i) => {
        const id = i + 10
        if (kind === 'confirmation') return generate({ cmd: 'puback', messageId: id })
        if (kind === 'heartbeat') return publish(kind, { boot, timestamp: new Date(at).toISOString() }, id)
        return publish(kind, { boot, n: id, readings: [reading(sensorOf(number, id), 20, at)] }, id)
      })
      const ids = (kind: (typeof sent)[number]) => sent.flatMap((each, i) => (each === kind ? [i + 10] : []))
      const readings = ids('readings')
      const tooEarly: number[] = []
      const { socket, heard } = rawGateway((packet) => {
        const id = packet.messageId ?? 0
        if (packet.cmd === 'puback' && readings.includes(id) && storedOf(sensorOf(number, id)) === 0) tooEarly.push(id)
      })
      const opening = Buffer.concat([signIn(), subscribe()])
      if (afterSigningIn) {
        socket.write(opening)
        await eventually(() => heard.some(({ cmd }) => cmd === 'suback'))
      }
      await writeInPieces(socket, Buffer.concat([...(afterSigningIn ? [] : [opening]), ...messages]), cutAt)
      const toConfirm = [...readings, ...ids('heartbeat')]
      await eventually(() => confirmed(heard).length >= toConfirm.length && committed(heard).length >= readings.length)
      expect(tooEarly).toEqual([])
      expect(inOrder(confirmed(heard))).toEqual(inOrder(toConfirm))
      expect(inOrder(committed(heard))).toEqual(readings)
      expect(readings.map((id) => storedOf(sensorOf(number, id)))).toEqual(readings.map(() => 1))
      socket.destroy()
    }),
    { numRuns: runs(40) },
  )
})

test('while the database is locked nothing is confirmed, and everything once it is free', async () => {
  const { socket, heard } = rawGateway()
  socket.write(Buffer.concat([signIn(), subscribe()]))
  await eventually(() => heard.some(({ cmd }) => cmd === 'suback'))
  database.exec('begin immediate')
  const boot = `locked${boots++}`
  const readings = publish('readings', { boot, n: 1, readings: [reading('0c:01', 20, world.clock.now())] }, 3)
  await writeInPieces(socket, Buffer.concat([publish('heartbeat', { boot }, 2), readings]), [50, 90])
  await eventually(async () => (await world.metric('hypocaust_gateway_messages_waiting')) > 0)
  expect(confirmed(heard)).toEqual([])
  database.exec('rollback')
  await eventually(() => confirmed(heard).length === 2)
  expect(confirmed(heard)).toEqual([2, 3])
})

test('malformed readings are confirmed, so that their gateway does not repeat them', async () => {
  const { socket, heard } = rawGateway()
  socket.write(Buffer.concat([signIn(), publish('readings', Buffer.from('no JSON'), 2)]))
  await eventually(() => confirmed(heard).length === 1)
})

test('a message within the payload of another is no message', async () => {
  const { socket, heard } = rawGateway()
  const inner = publish('readings', { boot: 'inner', n: 1 }, 3)
  const outer = publish('window', inner, 4)
  socket.write(Buffer.concat([signIn(), subscribe(), outer.subarray(0, -inner.length)]))
  await eventually(() => heard.some(({ cmd }) => cmd === 'suback'))
  socket.write(inner)
  await eventually(() => confirmed(heard).length === 1)
  socket.write(publish('readings', { boot: 'outer', n: 2 }, 6))
  await eventually(() => committed(heard).length === 1)
  expect([confirmed(heard), committed(heard)]).toEqual([[4, 6], [2]])
})

test.each([
  ['in one piece', []],
  ['in several pieces', [60, 130, 200]],
])('readings do not overtake a heartbeat that comes before them, %s', async (_how, cuts) => {
  const { socket, heard } = rawGateway()
  socket.write(Buffer.concat([signIn(), subscribe()]))
  await eventually(() => heard.some(({ cmd }) => cmd === 'suback'))
  const number = boots++
  const boot = `order${number}`
  const at = world.clock.now()
  const timestamp = new Date(at).toISOString()
  const sensor = sensorOf(number, 1)
  const bytes = Buffer.concat([
    publish('heartbeat', { boot, timestamp, clock_ok: false }, 2),
    publish('readings', { boot, n: 1, readings: [reading(sensor, 20, at - 3_600_000)] }, 3),
    publish('heartbeat', { boot, timestamp, clock_ok: true }, 4),
  ])
  await writeInPieces(socket, bytes, cuts)
  await eventually(() => confirmed(heard).length === 3)
  expect((await world.history(sensor)).map(({ measuredAt }) => measuredAt)).toEqual([at])
})

test('a gateway that is silent for one and a half of its keep-alive is disconnected', async () => {
  const { socket, heard } = rawGateway()
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.write(Buffer.concat([signIn(1), publish('readings', { boot: 'silent', n: 1 }, 7)]))
  await gone
  expect(confirmed(heard)).toEqual([7])
})

describe('a commit', () => {
  const commitTopic = () => downTopic(world.cellarId, 'commit')
  let lastN = 0

  async function joined(filters: string[], qos: 0 | 1 = 1): Promise<Party> {
    const account = {
      username: world.cellarId,
      password: token,
      clientId: `party${parties.length}`,
      reconnectPeriod: 0,
    }
    const party = await Party.join(world.url, account, [downTopic(world.cellarId, 'power')])
    parties.push(party)
    if (filters.length > 0) await party.client.subscribeAsync(filters, { qos })
    return party
  }

  /** Sends readings; resolves when they are confirmed. */
  async function deliver(party: Party): Promise<number> {
    const n = ++lastN
    const payload = JSON.stringify({ boot: 'subs', n, readings: [reading(BATHROOM_SENSOR, 20, world.clock.now())] })
    await party.client.publishAsync(upTopic(world.cellarId, 'readings'), payload, { qos: 1 })
    return n
  }

  const commitsTo = ({ heard }: Party): number[] =>
    heard.flatMap(({ topic, text }) => (topic === commitTopic() ? [JSON.parse(text).n as number] : []))

  test('goes to each connection of the gateway that has subscribed, by its name or a pattern', async () => {
    const subscribed = [
      await joined([commitTopic()]),
      await joined([commitTopic()]),
      await joined([`${TOPIC_ROOT}/${world.cellarId}/down/+`]),
    ] as const
    const other = await joined([])
    const n = await deliver(subscribed[0])
    await eventually(() => subscribed.every((party) => commitsTo(party).includes(n)))
    expect(commitsTo(other)).toEqual([])
  })

  test('no longer comes after unsubscribing', async () => {
    const [left, stays] = [await joined([commitTopic()]), await joined([commitTopic()])]
    await left.client.unsubscribeAsync(commitTopic())
    const n = await deliver(left)
    await eventually(() => commitsTo(stays).includes(n))
    await deliver(left)
    expect(commitsTo(left)).toEqual([])
  })

  test.each([0, 1] as const)('comes with the quality that was subscribed to: %d', async (qos) => {
    const party = await joined([commitTopic()], qos)
    const packets: IPublishPacket[] = []
    party.client.on('message', (_topic, _payload, packet) => packets.push(packet))
    await deliver(party)
    await deliver(party)
    await eventually(() => packets.length === 2)
    expect(packets.map((packet) => packet.qos)).toEqual([qos, qos])
  })
})
