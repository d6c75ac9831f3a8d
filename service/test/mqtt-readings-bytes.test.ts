import { connect, type Socket } from 'node:net'
import { downTopic, upTopic } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import { Aedes } from 'aedes'
import fc from 'fast-check'
import { generate, type Packet, parser } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let world: MqttWorld
let token: string
beforeAll(async () => {
  world = await openMqttWorld()
  token = await world.token()
})
afterAll(() => world.close())

/** A gateway whose every byte the test chooses. */
function rawGateway(): { socket: Socket; heard: Packet[]; gone: Promise<void> } {
  const socket = connect({ port: world.mqtt.address.port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  const heard: Packet[] = []
  const packets = parser()
  packets.on('packet', (packet) => heard.push(packet))
  socket.on('data', (bytes: Buffer) => packets.parse(bytes))
  return { socket, heard, gone: new Promise((resolve) => socket.once('close', () => resolve())) }
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

const publish = (name: 'readings' | 'heartbeat', payload: object, messageId: number): Buffer =>
  generate({
    cmd: 'publish',
    topic: upTopic(world.cellarId, name),
    payload: JSON.stringify(payload),
    qos: 1,
    messageId,
    dup: false,
    retain: false,
  })

const confirmed = (heard: Packet[]) => heard.flatMap((each) => (each.cmd === 'puback' ? [each.messageId] : []))
const committed = (heard: Packet[]) =>
  heard.flatMap((each) => (each.cmd === 'publish' ? [JSON.parse(String(each.payload)).n as number] : []))

let boots = 0

test('however the bytes are cut, every message is confirmed, stored and committed once', async () => {
  const kinds = fc.array(fc.constantFrom('readings' as const, 'heartbeat' as const, 'confirmation' as const), {
    minLength: 1,
    maxLength: 8,
  })
  const cuts = fc.array(fc.nat(2000), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(kinds, cuts, fc.boolean(), async (sent, cutAt, afterSigningIn) => {
      const boot = `bytes${boots++}`
      const at = world.clock.now()
      const before = (await world.history(BATHROOM_SENSOR)).length
      const messages = sent.map((kind, i) => {
        const id = i + 10
        if (kind === 'confirmation') return generate({ cmd: 'puback', messageId: id })
        if (kind === 'heartbeat') return publish(kind, { boot, timestamp: new Date(at).toISOString() }, id)
        return publish(kind, { boot, n: id, readings: [reading(BATHROOM_SENSOR, 20, at - boots * 100 - i)] }, id)
      })
      const ids = (kind: (typeof sent)[number]) => sent.flatMap((each, i) => (each === kind ? [i + 10] : []))
      const { socket, heard, gone } = rawGateway()
      const opening = Buffer.concat([signIn(), subscribe()])
      if (afterSigningIn) {
        socket.write(opening)
        await eventually(() => heard.some(({ cmd }) => cmd === 'suback'))
      }
      const bytes = Buffer.concat([...(afterSigningIn ? [] : [opening]), ...messages])
      const edges = [0, ...cutAt.map((each) => each % bytes.length).sort((a, b) => a - b), bytes.length]
      for (const [i, from] of edges.slice(0, -1).entries()) {
        await new Promise((resolve) => socket.write(bytes.subarray(from, edges[i + 1]), resolve))
        await new Promise((resolve) => setImmediate(resolve))
      }
      const readings = ids('readings')
      await eventually(
        () =>
          confirmed(heard).length >= readings.length + ids('heartbeat').length &&
          committed(heard).length >= readings.length,
      )
      expect(confirmed(heard).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
        [...readings, ...ids('heartbeat')].sort((a, b) => a - b),
      )
      expect(committed(heard).sort((a, b) => a - b)).toEqual(readings)
      expect(await world.history(BATHROOM_SENSOR)).toHaveLength(before + readings.length)
      socket.destroy()
      await gone
    }),
    { numRuns: runs(40) },
  )
})

test('a message within the payload of another is no message', async () => {
  const { socket, heard, gone } = rawGateway()
  socket.write(Buffer.concat([signIn(), subscribe()]))
  const inner = publish('readings', { boot: 'inner', n: 1 }, 3)
  const outer = generate({
    cmd: 'publish',
    topic: upTopic(world.cellarId, 'window'),
    payload: inner,
    qos: 1,
    messageId: 4,
    dup: false,
    retain: false,
  })
  socket.write(Buffer.concat([publish('heartbeat', { boot: 'outer' }, 5), outer.subarray(0, -inner.length)]))
  await eventually(() => confirmed(heard).length === 1)
  socket.write(inner)
  await eventually(() => confirmed(heard).length === 2)
  socket.write(publish('readings', { boot: 'outer', n: 2 }, 6))
  await eventually(() => committed(heard).length === 1)
  expect([confirmed(heard), committed(heard)]).toEqual([[5, 4, 6], [2]])
  socket.destroy()
  await gone
})

test('readings do not overtake what the gateway sent before them', async () => {
  const { socket, heard, gone } = rawGateway()
  socket.write(Buffer.concat([signIn(), subscribe()]))
  await eventually(() => heard.some(({ cmd }) => cmd === 'suback'))
  const release = holdBroker()
  const boot = `order${boots++}`
  const at = world.clock.now()
  socket.write(publish('heartbeat', { boot, timestamp: new Date(at).toISOString(), clock_ok: false }, 2))
  await eventually(() => confirmed(heard).length === 1)
  socket.write(publish('readings', { boot, n: 1, readings: [reading('0a:0b', 20, at - 3_600_000)] }, 3))
  await eventually(() => confirmed(heard).length === 2)
  release()
  await eventually(() => committed(heard).length === 1)
  expect((await world.history('0a:0b')).map(({ measuredAt }) => measuredAt)).toEqual([at])
  socket.write(publish('heartbeat', { boot, timestamp: new Date(at).toISOString(), clock_ok: true }, 4))
  await eventually(() => confirmed(heard).length === 3)
  socket.destroy()
  await gone
})

/** The broker passes nothing on until it is released. */
function holdBroker(): () => void {
  const held: (() => void)[] = []
  const passOn = Aedes.prototype.publish
  const holding = vi.spyOn(Aedes.prototype, 'publish').mockImplementation(function (this: Aedes, ...message) {
    held.push(() => passOn.apply(this, message))
  })
  return () => {
    holding.mockRestore()
    for (const pass of held) pass()
  }
}

test('a gateway that is silent for one and a half of its keep-alive is disconnected', async () => {
  const { socket, heard, gone } = rawGateway()
  socket.write(signIn(1))
  await eventually(() => heard.length > 0)
  socket.write(publish('readings', { boot: 'silent', n: 1 }, 7))
  await gone
  expect(confirmed(heard)).toEqual([7])
})
