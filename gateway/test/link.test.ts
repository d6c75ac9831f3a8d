import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MqttLink } from '../src/base/link.ts'
import { throttled } from '../src/base/log.ts'

describe.skipIf(withoutMosquitto())('a broker that refuses the gateway', () => {
  let mosquitto: Mosquitto
  beforeAll(async () => {
    mosquitto = await startMosquitto({ passwords: { cellar: 'another' } })
  })
  afterAll(() => mosquitto.stop())

  test('is tried again until it accepts it, with the reason in the log at most once a minute', async () => {
    const logged: string[] = []
    let nowMs = 0
    let refusals = 0
    const complain = throttled(
      (line) => logged.push(line),
      () => nowMs,
    )
    let isUp = false
    const link = new MqttLink({
      name: 'the broker',
      url: `mqtt://127.0.0.1:${mosquitto.port}`,
      options: { username: 'cellar', password: 'right' },
      slowestRetryMs: 2_000,
      log: (line) => {
        complain(line, line)
        if (/not authorized/i.test(line)) refusals++
      },
      subscriptions: () => ['a'],
      onUp: () => {
        isUp = true
      },
      onMessage: () => {},
    })
    const reasons = () => logged.filter((line) => /not authorized/i.test(line))
    link.start()
    await eventually(() => refusals === 2)
    expect(reasons()).toHaveLength(1)
    nowMs = 60_000
    await eventually(() => refusals === 3)
    expect(reasons()).toHaveLength(2)
    expect(isUp).toBe(false)
    mosquitto.usePasswords({ cellar: 'right' })
    await eventually(() => isUp)
    await link.stop()
  })
})

describe.skipIf(withoutMosquitto())('two brokers', () => {
  let brokers: Mosquitto[]
  beforeAll(async () => {
    brokers = await Promise.all([startMosquitto(), startMosquitto()])
  })
  afterAll(() => Promise.all(brokers.map((broker) => broker.stop())))

  test('of which the second takes the place of the first: the link goes down, comes up there, and stays', async () => {
    const [first, second] = brokers.map(({ port }) => `mqtt://127.0.0.1:${port}`)
    const seen: string[] = []
    const heard: string[] = []
    const link = new MqttLink({
      name: 'the broker',
      url: first ?? '',
      options: {},
      slowestRetryMs: 2_000,
      log: () => {},
      subscriptions: () => ['a'],
      onUp: () => seen.push('up'),
      onDown: () => seen.push('down'),
      onMessage: (_topic, payload) => heard.push(Buffer.from(payload).toString()),
    })
    link.start()
    await eventually(() => link.connected)
    link.moveTo(second ?? '')
    expect(link.connected).toBe(false)
    await eventually(() => link.connected)
    link.publish('a', 'here', { qos: 1, retain: false })
    await eventually(() => heard.length > 0)
    expect([seen, heard, link.connected]).toEqual([['up', 'down', 'up'], ['here'], true])
    await brokers[0]?.stop()
    link.publish('a', 'still', { qos: 1, retain: false })
    await eventually(() => heard.length > 1)
    await link.stop()
  })
})

describe.skipIf(withoutMosquitto())('a broker that answers no more', () => {
  let mosquitto: Mosquitto
  beforeAll(async () => {
    mosquitto = await startMosquitto()
  })
  afterAll(() => mosquitto.stop())

  test('and goes away does not keep a gateway from ending as it should, though an answer is owed', async () => {
    let isForwarding = true
    const line = createServer((socket) => {
      const broker = connect(mosquitto.port, '127.0.0.1')
      broker.pipe(socket)
      socket.on('data', (data) => (isForwarding ? broker.write(data) : socket.destroy()))
      socket.on('error', () => {})
      broker.on('error', () => {})
    })
    await once(line.listen(0, '127.0.0.1'), 'listening')
    const { port } = line.address() as AddressInfo
    const gateway = fork(new URL('./stopping-link.ts', import.meta.url), [`mqtt://127.0.0.1:${port}`])
    await once(gateway, 'message')
    isForwarding = false
    gateway.send('go')
    expect(await once(gateway, 'exit')).toEqual([0, null])
    line.close()
  })

  test('and hangs does not keep a link from stopping, though an answer is owed', async () => {
    const line = createServer((socket) => {
      const broker = connect(mosquitto.port, '127.0.0.1')
      socket.pipe(broker).pipe(socket)
      socket.on('error', () => {})
      broker.on('error', () => {})
    })
    await once(line.listen(0, '127.0.0.1'), 'listening')
    const accepted = once(line, 'connection')
    let isUp = false
    const link = new MqttLink({
      name: 'the broker',
      url: `mqtt://127.0.0.1:${(line.address() as AddressInfo).port}`,
      options: {},
      slowestRetryMs: 2_000,
      log: () => {},
      subscriptions: () => ['a'],
      onUp: () => {
        isUp = true
      },
      onMessage: () => {},
    })
    link.start()
    await eventually(() => isUp)
    mosquitto.hang()
    link.publish('b', 'never acknowledged', { qos: 1, retain: false })
    const [socket] = await accepted
    const closed = once(socket, 'close')
    await link.stop()
    await closed
    line.close()
  })
})

describe.skipIf(withoutMosquitto())('a link that is stopped', () => {
  test('does not say that it is gone and tried again', async () => {
    const mosquitto = await startMosquitto()
    const logged: string[] = []
    await new Promise<void>((resolve) => {
      const link: MqttLink = new MqttLink({
        name: 'the broker',
        url: mosquitto.url,
        options: {},
        slowestRetryMs: 2_000,
        log: (line) => logged.push(line),
        subscriptions: () => ['a'],
        onUp: () => void link.stop().then(resolve),
        onMessage: () => {},
      })
      link.start()
    })
    await mosquitto.stop()
    expect(logged).toEqual(['the broker is connected'])
  })
})
