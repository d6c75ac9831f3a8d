import { createServer, type Server, type Socket } from 'node:net'
import { downTopic, type GatewayReading, upTopic } from '@hypocaust/domain'
import { Aedes } from 'aedes'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, demoHouse, VirtualGateway, VirtualHouse } from '../src/index.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const START_MS = Date.UTC(2026, 0, 10)

type Heard = { topic: string; body: Record<string, unknown>; retain: boolean }

/** A clock that moves when the test says so. */
class HandClock implements Clock {
  private nowMs = START_MS
  private timers: { everyMs: number; dueMs: number; tick: () => void }[] = []
  now() {
    return this.nowMs
  }
  every(ms: number, tick: () => void) {
    const timer = { everyMs: ms, dueMs: this.nowMs + ms, tick }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((each) => each !== timer)
    }
  }
  move(ms: number) {
    const endMs = this.nowMs + ms
    while (this.nowMs < endMs) {
      this.nowMs += 1000
      for (const timer of this.timers) {
        if (timer.dueMs > this.nowMs) continue
        timer.dueMs += timer.everyMs
        timer.tick()
      }
    }
  }
}

let broker: Aedes
let server: Server
let sockets: Socket[]
let service: MqttClient
let gateway: VirtualGateway
let clock: HandClock
let heard: Heard[]

beforeEach(async () => {
  broker = await Aedes.createBroker()
  sockets = []
  server = createServer(broker.handle).on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `mqtt://127.0.0.1:${address.port}`
  heard = []
  service = await mqtt.connectAsync(url, { protocolVersion: 4 })
  service.on('message', (topic, payload, packet) =>
    heard.push({ topic, body: JSON.parse(payload.toString()), retain: packet.retain }),
  )
  await service.subscribeAsync(`hypocaust/v1/${ID}/up/#`, { qos: 1 })
  clock = new HandClock()
  const house = new VirtualHouse(demoHouse({ seed: 7, startMs: START_MS }))
  gateway = new VirtualGateway({ url, gatewayId: ID, token: 'hypg_x', house, clock, boot: 'b1' })
  await gateway.start()
})

afterEach(async () => {
  await gateway.stop()
  await service.endAsync()
  await new Promise<void>((resolve) => broker.close(resolve))
  await new Promise((resolve) => server.close(resolve))
})

const on = (name: Parameters<typeof upTopic>[1]) => heard.filter((each) => each.topic === upTopic(ID, name))
const until = (condition: () => boolean) => expect.poll(condition, { interval: 5 }).toBe(true)
const power = (seq: number, share: number, more = {}) => ({
  epoch: 1,
  seq,
  issued: new Date(clock.now()).toISOString(),
  valid_s: 2700,
  valves: [1, 2, 3, 4, 5, 6].map((channel) => ({ channel, power: share, window_s: 900 })),
  ...more,
})

/** The broker keeps one client's order, so an answered command means everything before it was handled. */
async function send(name: Parameters<typeof downTopic>[1], body: object) {
  await service.publishAsync(downTopic(ID, name), JSON.stringify(body), { qos: 1 })
}

test('it says it is online, and beats every minute', async () => {
  clock.move(180_000)
  await until(() => on('heartbeat').length >= 4 && on('status').length >= 1)
  expect(on('status')[0]?.body).toMatchObject({ state: 'online', boot: 'b1', channels: 6 })
})

test('readings are sent again until the service commits them', async () => {
  clock.move(61_000)
  await until(() => on('readings').length >= 1)
  const first = on('readings')[0]?.body as { n: number; readings: GatewayReading[] }
  expect(first.readings.length).toBeGreaterThan(2)
  clock.move(65_000)
  await until(() => on('readings').filter((each) => each.body.n === first.n).length >= 2)
  await send('commit', { boot: 'b1', n: first.n })
  await send('power', power(1, 0))
  await until(() => on('ack').length === 1)
  const before = on('readings').filter((each) => each.body.n === first.n).length
  clock.move(65_000)
  await send('power', power(2, 0))
  await until(() => on('ack').length === 2)
  expect(on('readings').filter((each) => each.body.n === first.n).length).toBe(before)
})

test('commands are obeyed in order, and acknowledged', async () => {
  await send('power', power(5, 0.5))
  await send('power', power(4, 1))
  await send('power', power(6, 1, { issued: new Date(START_MS - 86_400_000).toISOString() }))
  await send('power', power(7, 1, { valves: [{ channel: 1, power: 1, window_s: 900 }] }))
  await until(() => on('ack').length === 4)
  expect(on('ack').map((each) => each.body.result)).toEqual(['accepted', 'stale', 'expired', 'rejected'])
  expect(gateway.order(1)).toEqual({ power: 0.5, windowS: 900, seq: 5, source: 'command' })
})

test('a window is open for its share, and reported when it ends', async () => {
  await send('power', power(1, 0.4))
  await until(() => on('ack').length === 1)
  clock.move(2_000_000)
  await until(() => on('window').length >= 6)
  expect(on('window')[0]?.body).toMatchObject({ channel: 1, seq: 1, window_s: 900, open_s: 360, source: 'command' })
})

test('without commands the configured fallback holds, from the start and after silence', async () => {
  expect(gateway.order(3)).toMatchObject({ power: 0, source: 'fallback' })
  const fallback = { after_s: 1200, power: { '3': 0.15 } }
  await send('config', { revision: 2, fallback, min_open_s: 120, exercise_days: 7 })
  await until(() => on('status').some((each) => each.body.config_revision === 2))
  expect(gateway.order(3)).toMatchObject({ power: 0.15, source: 'fallback' })
  await send('power', power(1, 0.8))
  await until(() => on('ack').length === 1)
  expect(gateway.order(3)).toMatchObject({ power: 0.8, source: 'command' })
  clock.move(1_300_000)
  expect(gateway.order(3)).toMatchObject({ power: 0.15, source: 'fallback' })
})

test('the water is as warm as the service asks for while that holds, and the gateway reports it', async () => {
  const issued = new Date(clock.now()).toISOString()
  const source = (seq: number, supplyC: number) => ({ epoch: 1, seq, issued, valid_s: 2700, supply_c: supplyC })
  expect(gateway.house.waterC).toBeNull()
  await send('source', source(2, 31))
  await until(() => on('source').length === 1)
  await send('source', source(1, 45))
  await send('power', power(3, 0))
  await until(() => on('ack').length === 1)
  expect(gateway.house.waterC).toBe(31)
  expect(on('source').at(-1)?.body).toMatchObject({ supply_c: 31, supply_set_c: 31, lock: null })
  clock.move(2_760_000)
  expect(gateway.house.waterC).toBeNull()
  await until(() => on('source').at(-1)?.body.supply_set_c === null)
})

test('a pulled sensor falls silent, and is heard again when plugged', async () => {
  const { sensorId } = gateway.house.plan.rooms[0] ?? { sensorId: '' }
  gateway.house.pullSensor(sensorId)
  clock.move(600_000)
  await until(() => on('readings').length >= 5)
  const ids = () =>
    on('readings').flatMap((each) => (each.body.readings as GatewayReading[]).map((reading) => reading.id))
  expect(ids()).not.toContain(sensorId)
  gateway.house.plugSensor(sensorId)
  clock.move(600_000)
  await until(() => ids().includes(sensorId))
})

test('when its connection dies the broker says offline in its name', async () => {
  heard = []
  sockets.at(-1)?.destroy()
  await until(() => on('status').some((each) => each.body.state === 'offline' && each.body.boot === 'b1'))
  await until(() => on('status').at(-1)?.body.state === 'online')
})
