import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { downTopic, upTopic } from '@hypocaust/domain'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { HOUSE } from '@hypocaust/testing/houses.ts'
import { LIVES } from '@hypocaust/testing/lives.ts'
import { startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { connect, type MqttClient } from 'mqtt'
import { generate, parser } from 'mqtt-packet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ServedHouse } from './house.ts'

let house: ServedHouse
beforeEach(async () => {
  house = await ServedHouse.build(HOUSE)
})
afterEach(() => house.remove())

/** Every reading names a sensor of its own, so a lost one leaves a gap and one taken twice shows as two rows. */
const sensorId = (i: number) =>
  `dd:${i
    .toString(16)
    .padStart(8, '0')
    .replace(/..(?=.)/g, '$&:')}`

/** Not opened while a service is killed: the last reader's end would repair what the next service has to. */
const openDatabase = () => new DatabaseSync(join(house.dataFolder, 'hypocaust.db'), { readOnly: true, timeout: 5000 })

const storedReadings = (db: DatabaseSync): number => Number(db.prepare('select count(*) as n from readings').get()?.n)

function storedPerSensor(db: DatabaseSync): Map<string, number> {
  const rows = db
    .prepare(`select address as sensor_id, count(*) as n from readings
    join sensors on sensors.id = readings.sensor_id group by address`)
    .all()
  return new Map(rows.map((row) => [String(row.sensor_id), Number(row.n)]))
}

/** The least a gateway must do: keep every message until it is committed, and send it again after each connection. */
class SendingGateway {
  readonly #waiting = new Map<number, string>()
  readonly #client: MqttClient
  readonly #id: string
  #timer: NodeJS.Timeout | undefined
  sent = 0
  committed = 0

  constructor({ mqttUrl, gatewayId, token }: ServedHouse) {
    this.#id = gatewayId
    this.#client = connect(mqttUrl, {
      protocolVersion: 4,
      clientId: gatewayId,
      username: gatewayId,
      password: token,
      reconnectPeriod: 50,
      queueQoSZero: false,
    })
    this.#client.on('error', () => {})
    this.#client.on('message', (_topic, payload) => {
      const { n } = JSON.parse(payload.toString())
      if (this.#waiting.delete(n)) this.committed++
    })
    this.#client.on('connect', () => {
      // Its readings are stamped at arrival, so that one taken in twice could not hide behind its own time stamp.
      this.#publish('heartbeat', { boot: 'sending', clock_ok: false })
      this.#client.subscribe(downTopic(gatewayId, 'commit'), { qos: 1 }, () => {
        for (const message of this.#waiting.values()) this.#publish('readings', message)
      })
    })
  }

  start(): void {
    this.#timer = setInterval(() => {
      const n = this.sent++
      const readings = [{ id: sensorId(n), temperature: 20, timestamp: new Date().toISOString() }]
      const message = JSON.stringify({ boot: 'sending', n, backfill: n % 3 === 0, readings })
      this.#waiting.set(n, message)
      this.#publish('readings', message)
    }, 20)
  }

  async finish(): Promise<void> {
    clearInterval(this.#timer)
    await eventually(() => this.#waiting.size === 0)
    await this.#client.endAsync(true)
  }

  #publish(name: 'heartbeat' | 'readings', message: object | string): void {
    if (!this.#client.connected) return
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    this.#client.publish(upTopic(this.#id, name), text, { qos: 0 })
  }
}

test('the service, killed again and again while a gateway sends: every reading is stored, none twice', {
  timeout: 600_000,
}, async () => {
  writeFileSync(join(house.folder, 'hypocaust.yaml'), 'max_sensors_per_building: 1000000\n')
  await house.serve()
  const gateway = new SendingGateway(house)
  gateway.start()
  for (let life = 0; life < LIVES; life++) {
    const before = gateway.committed
    // From the first commit of this life to a dozen later, so that each life ends at another moment.
    await eventually(() => gateway.committed > before + ((life * 7) % 12))
    await house.end('SIGKILL')
    await house.serve()
  }
  await gateway.finish()
  const db = openDatabase()
  const perSensor = storedPerSensor(db)
  db.close()
  expect(gateway.sent).toBeGreaterThan(LIVES * 5)
  expect(perSensor.size).toBe(gateway.sent)
  expect([...perSensor].filter(([, count]) => count !== 1)).toEqual([])
})

type Way = 'in one piece' | 'cut' | 'with heartbeats'

/** A gateway that believes the broker's confirmation (PUBACK), writes its own bytes, and never sends anything twice. */
class TrustingGateway {
  readonly confirmed = new Set<number>()
  readonly #house: ServedHouse
  readonly #way: Way
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  #sent = 0

  constructor(house: ServedHouse, way: Way) {
    this.#house = house
    this.#way = way
  }

  /** Until the service ends the connection. */
  async start(): Promise<void> {
    const { mqttPort, gatewayId, token } = this.#house
    const socket = connectSocket({ port: mqttPort, host: '127.0.0.1', noDelay: true })
    this.#socket = socket
    socket.on('error', () => {})
    socket.on('close', () => clearInterval(this.#timer))
    const packets = parser()
    const isIn = new Promise<void>((resolve) =>
      packets.on('packet', (packet) => {
        if (packet.cmd === 'connack') resolve()
        if (packet.cmd === 'puback') this.confirmed.add(packet.messageId ?? -1)
      }),
    )
    socket.on('data', (bytes: Buffer) => packets.parse(bytes))
    const credentials = { clientId: gatewayId, username: gatewayId, password: Buffer.from(token) }
    socket.write(
      generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 0, ...credentials }),
    )
    await isIn
    this.#timer = setInterval(() => this.#send(socket), 10)
  }

  end(): void {
    this.#socket?.destroy()
  }

  #send(socket: Socket): void {
    const id = ++this.#sent
    const readings = [{ id: sensorId(id), temperature: 20, timestamp: new Date().toISOString() }]
    const message = this.#publish('readings', { boot: 'trusting', n: id, readings }, id)
    if (this.#way === 'in one piece') socket.write(message)
    if (this.#way === 'with heartbeats')
      socket.write(Buffer.concat([this.#publish('heartbeat', { boot: 'trusting' }, 50_000), message]))
    if (this.#way === 'cut') {
      socket.write(message.subarray(0, 40))
      setImmediate(() => socket.write(message.subarray(40)))
    }
  }

  #publish(name: 'heartbeat' | 'readings', payload: object, messageId: number): Buffer {
    const topic = upTopic(this.#house.gatewayId, name)
    return generate({
      cmd: 'publish',
      topic,
      payload: JSON.stringify(payload),
      qos: 1,
      messageId,
      dup: false,
      retain: false,
    })
  }
}

test.each<Way>(['in one piece', 'cut', 'with heartbeats'])(
  'the service, killed again and again while readings come %s: what it has confirmed is stored',
  { timeout: 600_000 },
  async (way) => {
    writeFileSync(join(house.folder, 'hypocaust.yaml'), 'max_sensors_per_building: 1000000\n')
    const gateway = new TrustingGateway(house, way)
    await house.serve()
    for (let life = 0; life < LIVES; life++) {
      const before = gateway.confirmed.size
      await gateway.start()
      await eventually(() => gateway.confirmed.size > before + 10 + ((life * 7) % 12))
      await house.end('SIGKILL')
      await house.serve()
    }
    gateway.end()
    const db = openDatabase()
    const perSensor = storedPerSensor(db)
    db.close()
    gateway.confirmed.delete(50_000)
    expect(gateway.confirmed.size).toBeGreaterThan(LIVES * 10)
    expect([...gateway.confirmed].filter((id) => !perSensor.has(sensorId(id)))).toEqual([])
  },
)

function bufferedSensors(folder: string): string[] {
  // The agent keeps its database to itself, so a copy is read.
  const copy = join(folder, 'copy.db')
  for (const suffix of ['', '-wal']) {
    const file = join(folder, 'data', `gateway.db${suffix}`)
    if (existsSync(file)) cpSync(file, copy + suffix)
    else rmSync(copy + suffix, { force: true })
  }
  const db = new DatabaseSync(copy)
  const rows = db.prepare('select readings from message').all()
  db.close()
  return rows.flatMap(({ readings }) => (JSON.parse(String(readings)) as { id: string }[]).map(({ id }) => id))
}

describe.skipIf(withoutMosquitto())('the agent', () => {
  test('killed again and again while it sends: every reading it kept is stored, none twice', {
    timeout: 600_000,
  }, async () => {
    const mosquitto = await startMosquitto()
    const devices = await Party.join(mosquitto.url)
    await house.serve()
    const folder = join(house.folder, 'agent')
    mkdirSync(folder)
    const { mqttUrl, gatewayId, token } = house
    writeFileSync(
      join(folder, 'gateway.yaml'),
      `service: { url: "${mqttUrl}", gateway_id: ${gatewayId}, token: ${token} }
devices: { url: "${mosquitto.url}" }
sensors: { collect_s: 0.05, every_s: 0 }
channels: [{ channel: 1, driver: tasmota, topic: manifold }]
`,
    )
    let spoken = 0
    const speak = (times: number) => {
      for (let i = 0; i < times; i++) {
        const mac = sensorId(spoken++).replaceAll(':', '').padEnd(12, '0').toUpperCase()
        devices.say(`home/OMG_B1/BTtoMQTT/${mac}`, { rssi: -71, tempc: 21.4, hum: 47 })
      }
    }
    const db = openDatabase()
    const perLife = 10
    for (let life = 0; life < LIVES; life++) {
      const agent = startMain(['run'], folder)
      const before = storedReadings(db)
      // What is said before it listens is lost.
      await eventually(() => {
        speak(1)
        return storedReadings(db) > before + perLife
      })
      speak(20)
      agent.child.kill('SIGKILL')
      await agent.exit
    }
    const kept = bufferedSensors(folder)
    const last = startMain(['run'], folder)
    await eventually(() => bufferedSensors(folder).length === 0)
    last.child.kill('SIGTERM')
    await last.exit
    const perSensor = storedPerSensor(db)
    db.close()
    for (const id of kept) expect(perSensor.get(id)).toBe(1)
    expect(perSensor.size).toBeGreaterThan(LIVES * perLife)
    expect([...perSensor].filter(([, count]) => count !== 1)).toEqual([])
    await devices.leave()
    await mosquitto.stop()
  })
})
