import { ROLES, TOPIC_ROOT, upTopic } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { EMBEDDED, type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import { Aedes } from 'aedes'
import type { IClientOptions } from 'mqtt'
import { writeToStream } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startMqtt } from '../src/doors/mqtt/run.ts'
import { removeGateway } from '../src/house/gateways/gateways.ts'
import { Callers, closed, ended, handshake, partsOf } from './mqtt-callers.ts'

/** Nobody outside may look at what is retained of others, so the test looks at the broker itself. */
interface Broker {
  persistence: { createRetainedStream(pattern: string): AsyncIterable<{ topic: string }> }
}
let broker: Broker
const retainedTopics = async (): Promise<string[]> =>
  (await Array.fromAsync(broker.persistence.createRetainedStream('#'))).map(({ topic }) => topic)

let world: MqttWorld
const callers = new Callers()
beforeAll(async () => {
  const listening = vi.spyOn(Aedes.prototype, 'listen')
  world = await openMqttWorld()
  broker = listening.mock.contexts[0] as unknown as Broker
})
afterAll(() => world.close())
afterEach(async () => {
  await callers.endAll()
  await world.leaveAll()
})

const connect = (options: IClientOptions, url = world.url) => callers.connect(url, options)

/** The return code of the refusal, or what else happened. */
const outcome = (options: IClientOptions): Promise<number | string> =>
  connect(options).then(
    () => 'let in',
    (error) => error.code ?? error.message,
  )

const rawSocket = (port = world.mqtt.address.port) => callers.socket(port)

test('the broker keeps no object for each number that a packet could have', () => {
  expect(writeToStream.cacheNumbers).toBe(false)
})

describe('signing in', () => {
  test('needs the id and the token of a gateway', async () => {
    const token = await world.token()
    const atticToken = await world.token(world.atticId)
    const id = world.cellarId
    expect(await outcome({ username: id, password: token, clientId: id })).toBe('let in')
    expect(await outcome({ username: id, password: token })).toBe('let in')
    expect(await outcome({ username: id, password: atticToken })).toBe(4)
    expect(await outcome({ username: id, password: `${token}x` })).toBe(4)
    expect(await outcome({ username: id })).toBe(4)
    expect(await outcome({})).toBe(4)
    expect(await outcome({ username: '', password: '' })).toBe(4)
    expect(await outcome({ username: id.toUpperCase(), password: token })).toBe(4)
    expect(await outcome({ username: '__proto__', password: token })).toBe(4)
    expect(await outcome({ username: world.world.holder.writeKey, password: world.world.holder.writeKey })).toBe(4)
  })

  test('no person can, in whichever role; the token of the gateway stays when its people leave', async () => {
    const { store, clock } = world
    const { buildingId } = world.world.holder
    const token = await world.token()
    const id = world.cellarId
    for (const role of ROLES) {
      const email = `${role}@example.org`
      const { accountId, writeKey } = await settleMember(store, clock, { buildingId, email, role })
      for (const password of [writeKey, 'correct horse battery'])
        for (const username of [id, accountId, email, writeKey])
          expect([role, await outcome({ username, password })]).toEqual([role, 4])
    }
    await store.db.deleteFrom('members').where('buildingId', '=', buildingId).where('role', '!=', 'owner').execute()
    expect(await outcome({ username: id, password: token })).toBe('let in')
  })

  test('a gateway that has not been paired yet cannot', async () => {
    await world.store.db.updateTable('gateways').set({ tokenHash: '' }).where('id', '=', world.atticId).execute()
    expect(await outcome({ username: world.atticId, password: '' })).toBe(4)
  })

  test('another gateway’s id as client id is refused, and that gateway stays', async () => {
    const victim = await world.gateway()
    const token = await world.token(world.atticId)
    const attack = { username: world.atticId, password: token }
    expect(await outcome({ ...attack, clientId: world.cellarId })).toBe(4)
    expect(await outcome({ ...attack, clientId: world.cellarId.toUpperCase() })).toBe(4)
    await victim.deliver([reading(BATHROOM_SENSOR, 20, world.clock.now())])
    expect(victim.party.client.connected).toBe(true)
  })

  test('the same gateway again replaces its older connection', async () => {
    const token = await world.token()
    const credentials = { username: world.cellarId, password: token }
    const older = await world.join(world.cellarId, credentials)
    const gone = closed(older.party.client)
    const newer = await world.join(world.cellarId, credentials)
    await gone
    await newer.deliver([])
  })

  test('a connection that speaks before it has signed in, or speaks nonsense, is ended', async () => {
    for (const bytes of [
      handshake({
        cmd: 'publish',
        topic: upTopic(world.cellarId, 'heartbeat'),
        payload: '{}',
        qos: 0,
        dup: false,
        retain: false,
      }),
      Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      Buffer.alloc(64, 0xff),
    ]) {
      const socket = rawSocket()
      const end = ended(socket)
      socket.write(bytes)
      await end
    }
  })
})

describe('what a gateway may say and hear', () => {
  test.each([
    'hypocaust/v1/OTHER/up/heartbeat',
    'hypocaust/v1/OWN/down/power',
    'hypocaust/v1/OWN/up',
    'other',
    '$SYS/x',
  ])('saying something on %s ends its connection', async (pattern) => {
    const gateway = await world.gateway()
    const gone = closed(gateway.party.client)
    const topic = pattern.replace('OWN', gateway.id).replace('OTHER', world.atticId)
    gateway.party.client.publish(topic, '{"boot":"b"}', { qos: 0 })
    await gone
  })

  test.each([
    '#',
    '+/+/+/+/+',
    'hypocaust/#',
    'hypocaust/v1/OTHER/down/#',
    'hypocaust/v1/+/down/power',
    'hypocaust/v1/OWN/up/#',
    'hypocaust/v1/OWN/#',
    '$share/x/hypocaust/v1/OTHER/down/#',
    '$SYS/#',
  ])('subscribing to %s is refused', async (pattern) => {
    const gateway = await world.gateway()
    const filter = pattern.replace('OWN', gateway.id).replace('OTHER', world.atticId)
    const granted = await gateway.party.client.subscribeAsync(filter).then(
      (grants) => grants.map(({ qos }) => qos),
      (error) => [error.code ?? 128],
    )
    expect(granted).toEqual([128])
  })

  test('a will on its own status is said when it falls silent', async () => {
    const will = {
      topic: upTopic(world.cellarId, 'status'),
      payload: Buffer.from('{"state":"offline","boot":"w1"}'),
      qos: 1 as const,
      retain: true,
    }
    const gateway = await world.gateway(world.cellarId, { will })
    gateway.say('status', { state: 'online', boot: 'w1' }, true)
    const stateIs = (state: string) => eventually(async () => (await gatewayRow()).state === state)
    await stateIs('online')
    gateway.party.client.stream.destroy()
    await stateIs('offline')
  })

  test('the will of an older boot is no news when the gateway is back', async () => {
    const gateway = await world.gateway()
    gateway.say('status', { state: 'online', boot: 'w3' })
    gateway.say('status', { state: 'offline', boot: 'w2' })
    await gateway.deliver([])
    expect(await gatewayRow()).toMatchObject({ state: 'online', boot: 'w3' })
  })

  test('a will on another’s topic is refused at the door, and the connection ended', async () => {
    const token = await world.token()
    const socket = rawSocket()
    const end = ended(socket)
    const heard: Buffer[] = []
    socket.on('data', (data: Buffer) => heard.push(data))
    socket.write(
      handshake({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: 'willing',
        keepalive: 0,
        username: world.cellarId,
        password: Buffer.from(token),
        will: { topic: upTopic(world.atticId, 'status'), payload: Buffer.from('x'), qos: 0, retain: false },
      }),
    )
    await end
    expect(Buffer.concat(heard)).toEqual(Buffer.alloc(0))
  })

  test('nothing that a gateway publishes is retained', async () => {
    const gateway = await world.gateway()
    await gateway.sayRaw(upTopic(gateway.id, 'status'), '{"state":"online","boot":"r"}', { retain: true })
    await gateway.sayRaw(upTopic(gateway.id, 'heartbeat'), '{"boot":"r"}', { retain: true })
    await gateway.sayRaw(`${TOPIC_ROOT}/${gateway.id}/up/anything`, 'x', { retain: true })
    await gateway.deliver([])
    expect((await retainedTopics()).filter((topic) => topic.includes('/up/'))).toEqual([])
  })

  test('QoS 2 is not spoken here', async () => {
    const gateway = await world.gateway()
    const gone = closed(gateway.party.client)
    gateway.party.client.publish(upTopic(gateway.id, 'heartbeat'), '{"boot":"b"}', { qos: 2 })
    await gone
  })

  test('nothing is kept for a gateway that is away', async () => {
    const token = await world.token()
    const session = { username: world.cellarId, password: token, clientId: 'durable', clean: false }
    const gateway = await world.join(world.cellarId, session)
    await gateway.leave()
    await world.mqtt.commander.greet(world.world.holder.buildingId)
    const again = await connect(session)
    const heard: string[] = []
    again.on('message', (topic) => heard.push(topic))
    await again.subscribeAsync(`${TOPIC_ROOT}/${world.cellarId}/down/commit`)
    await again.publishAsync(upTopic(world.cellarId, 'readings'), '{"boot":"d","n":1}', { qos: 1 })
    await eventually(() => heard.length > 0)
    expect(heard).toEqual([`${TOPIC_ROOT}/${world.cellarId}/down/commit`])
  })
})

describe('a token', () => {
  test('that was replaced ends the connection within moments, and no longer opens one', async () => {
    const token = await world.token()
    const gateway = await world.join(world.cellarId, { username: world.cellarId, password: token })
    const gone = closed(gateway.party.client)
    await world.token()
    await gone
    expect(await outcome({ username: world.cellarId, password: token })).toBe(4)
  })

  test('of a removed gateway ends the connection too', async () => {
    const { db } = world.store
    const row = await db.selectFrom('gateways').selectAll().where('id', '=', world.atticId).executeTakeFirstOrThrow()
    const gateway = await world.gateway(world.atticId)
    const gone = closed(gateway.party.client)
    await removeGateway(world.store, world.clock, world.atticId)
    await gone
    await db.insertInto('gateways').values(row).execute()
  })
})

test('a port in use is reported with the flag that helps, and nothing is left running', async () => {
  const options = { ...EMBEDDED.options, port: world.mqtt.address.port }
  await expect(startMqtt({ ...partsOf(world), broker: { kind: 'embedded', options } })).rejects.toThrow(
    /MQTT port .* taken by another program.*--mqtt-port/,
  )
})

test('stopping ends every connection, signed in or not', async () => {
  const mqtt = await startMqtt({ ...partsOf(world), broker: EMBEDDED })
  const idle = rawSocket(mqtt.address.port)
  const client = await connect(
    { username: world.cellarId, password: await world.token() },
    `mqtt://127.0.0.1:${mqtt.address.port}`,
  )
  const gone = Promise.all([ended(idle), closed(client)])
  await mqtt.stop()
  await gone
})

const gatewayRow = () =>
  world.store.db.selectFrom('gateways').selectAll().where('id', '=', world.cellarId).executeTakeFirstOrThrow()
