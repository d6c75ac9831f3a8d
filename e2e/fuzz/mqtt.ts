import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { downTopic, UP, upTopic } from '@hypocaust/domain'
import { connectAsync } from 'mqtt'
import { generate, type Packet } from 'mqtt-packet'
import type { SettledHouse } from '../settle.ts'
import type { Chance } from './chance.ts'
import type { Target } from './target.ts'
import { timed, type Verdict } from './verdict.ts'

const PACKETS_EACH = 20
const CHECK_EVERY = 25
const NAMES = Object.keys(UP) as (keyof typeof UP)[]

/** Packets on bare connections: valid, spoiled and made up; and now and then a gateway that must still get through. */
export async function fuzzMqtt(target: Target, cases: number, chance: Chance, verdict: Verdict): Promise<void> {
  const [house, honest] = [await target.newOwner(), await target.newOwner()]
  for (let done = 0, round = 0; done < cases; done += PACKETS_EACH, round++) {
    await talk(target, chance, house, Math.min(PACKETS_EACH, cases - done))
    if (round % CHECK_EVERY === 0) await getsThrough(target, honest, round, verdict)
  }
  await getsThrough(target, honest, cases, verdict)
  verdict.count('MQTT packets', cases)
}

function talk({ mqttPort }: Target, chance: Chance, house: SettledHouse, packets: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: mqttPort, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.on('close', () => resolve())
    if (chance.one(0.8)) socket.write(bytesOf(signIn(chance, house)))
    for (let i = 0; i < packets; i++) socket.write(packetOf(chance, house))
    socket.end()
    setTimeout(() => socket.destroy(), 500)
  })
}

const signIn = (chance: Chance, { gatewayId, token }: SettledHouse): Packet => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: chance.one(0.9) ? 4 : 5,
  clean: true,
  clientId: chance.one(0.9) ? gatewayId : chance.text(),
  keepalive: 60,
  username: gatewayId,
  password: Buffer.from(chance.one(0.9) ? token : chance.text()),
})

function packetOf(chance: Chance, house: SettledHouse): Buffer {
  if (chance.one(0.1)) return chance.bytes(64)
  const valid = bytesOf(validPacket(chance, house))
  return chance.one(0.4) ? chance.spoiled(valid) : valid
}

function validPacket(chance: Chance, { gatewayId }: SettledHouse): Packet {
  const messageId = 1 + chance.below(65_535)
  const topic = chance.one(0.8) ? upTopic(gatewayId, chance.pick(NAMES)) : topicOf(chance, gatewayId)
  const qos = chance.pick([0, 1, 1, 2] as const)
  const packets: Packet[] = [
    { cmd: 'publish', topic, payload: payloadOf(chance), qos, retain: chance.one(0.2), dup: false, messageId },
    { cmd: 'publish', topic, payload: payloadOf(chance), qos: 0, retain: false, dup: false },
    { cmd: 'subscribe', messageId, subscriptions: [{ topic: topicOf(chance, gatewayId), qos: 1 }] },
    { cmd: 'unsubscribe', messageId, unsubscriptions: [topicOf(chance, gatewayId)] },
    { cmd: 'pingreq' },
    { cmd: 'pubrel', messageId },
    { cmd: 'puback', messageId },
  ]
  return chance.pick(packets)
}

const topicOf = (chance: Chance, id: string): string =>
  chance.pick([
    downTopic(id, 'power'),
    `hypocaust/v1/${id}/up/readings/deeper`,
    `hypocaust/v1/${id}/up/`,
    'hypocaust/v1/+/up/#',
    '$share/hypocaust/hypocaust/v1/+/up/#',
    '$SYS/#',
    '#',
    '+',
    'a/'.repeat(200),
    'homeassistant/climate/x/config',
    chance.text().replace(/[+#]/g, 'x') || 'x',
  ])

function payloadOf(chance: Chance): Buffer {
  if (chance.one(0.2)) return chance.bytes(80)
  const member = () => (chance.one(0.6) ? chance.value() : 1 + chance.below(1000))
  const reading = () => ({
    id: chance.pick(['a4:c1:38:5e:01:02', 'ff:01', chance.value()]),
    temperature: chance.pick([20.5, -40, 85, 1e9, chance.value()]),
    humidity: member(),
    batt: member(),
    rssi: member(),
    timestamp: chance.pick([new Date().toISOString(), chance.text()]),
  })
  const said = {
    ...{
      boot: chance.pick(['a', chance.value()]),
      n: member(),
      backfill: member(),
      state: chance.pick(['online', 'x']),
    },
    ...{ channels: member(), config_revision: member(), clock_ok: member(), epoch: member(), seq: member() },
    ...{
      result: chance.pick(['accepted', chance.value()]),
      channel: member(),
      start: chance.text(),
      window_s: member(),
    },
    ...{
      open_s: member(),
      source: chance.pick(['command', chance.value()]),
      timestamp: chance.text(),
      uptime_s: member(),
    },
    readings: chance.one(0.8) ? Array.from({ length: chance.below(4) }, reading) : chance.value(),
  }
  return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(said).filter(() => chance.one(0.8)))))
}

function bytesOf(packet: Packet): Buffer {
  try {
    return generate(packet)
  } catch {
    // Its maker refuses it: then it cannot be sent in this form.
    return Buffer.from([0xc0, 0])
  }
}

async function getsThrough(target: Target, honest: SettledHouse, n: number, verdict: Verdict): Promise<void> {
  if (!target.process.isRunning) {
    verdict.fault('crash', target.process.stderr.slice(-1500))
    await target.process.start()
  }
  const what = 'a gateway connects and delivers a reading'
  try {
    await timed(
      verdict,
      () => what,
      () => deliver(target, honest, n),
    )
  } catch (error) {
    verdict.fault('hang', `${what}: ${(error as Error).message}`)
  }
}

/** Far beyond what counts as a hang: then nothing comes any more. */
const GIVE_UP_MS = 30_000

async function deliver({ mqttPort }: Target, { gatewayId, token }: SettledHouse, n: number): Promise<void> {
  const identity = { clientId: gatewayId, username: gatewayId, password: token }
  const options = { protocolVersion: 4 as const, connectTimeout: GIVE_UP_MS, reconnectPeriod: 0, ...identity }
  const gateway = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, options, false)
  const exchange = async () => {
    await gateway.subscribeAsync(downTopic(gatewayId, 'commit'), { qos: 1 })
    const committed = new Promise<void>((resolve) => {
      gateway.on('message', () => resolve())
    })
    const readings = [{ id: 'ff:aa', temperature: 20, timestamp: new Date().toISOString() }]
    const message = JSON.stringify({ boot: 'honest', n, backfill: false, readings })
    await gateway.publishAsync(upTopic(gatewayId, 'readings'), message, { qos: 1 })
    await committed
    return true
  }
  try {
    const isDone = await Promise.race([exchange(), sleep(GIVE_UP_MS, false, { ref: false })])
    if (!isDone) throw new Error(`no commit within ${GIVE_UP_MS / 1000} s`)
  } finally {
    await gateway.endAsync(true)
  }
}
