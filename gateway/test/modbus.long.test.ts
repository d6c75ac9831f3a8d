import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { house } from '@hypocaust/testing/agent-simulation.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { ModbusServer } from '@hypocaust/testing/modbus-server.ts'
import { describeOnBroker } from '@hypocaust/testing/on-broker.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { parseGatewayFile, settingsOf } from '../src/config/load.ts'
import { loadGatewayConfig, runGateway } from '../src/index.ts'
import { ModbusDevice } from '../src/polled/modbus-device.ts'

const VALUES = `
      outdoor: { table: input, address: 10, scale: 0.1, none: [-32768] }
      flow: { table: input, address: 11, scale: 0.1 }
      busy: { table: input, address: 20, type: uint16, bit: 5 }
      wanted: { table: holding, address: 5, scale: 0.1, write: { min: 20, max: 45 } }
      boost: { table: holding, address: 6, write: { min: 0, max: 1 } }
      valve: { table: coil, address: 3, write: { min: 0, max: 1 } }`
const settingsAt = (port: number, everyS = 1) => {
  const yaml = `modbus:\n  - name: pump\n    address: 127.0.0.1:${port}\n    every_s: ${everyS}\n    values:${VALUES}`
  const [settings] = settingsOf(parseGatewayFile(house(1, {}, `\n${yaml}`), 'gateway.yaml'), '/').polled.modbus
  if (!settings) throw new Error('no device')
  return settings
}
const ALL = new Set(['outdoor', 'flow', 'busy', 'wanted', 'valve'].map((name) => `modbus:pump/${name}`))

interface Running {
  device: ModbusDevice
  said: { topic: string; payload: string }[]
  logged: string[]
  /** The next message on a topic that holds. */
  hears(name: string, payload: string): Promise<unknown>
}

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
})

function ask(port: number, topics: ReadonlySet<string> = ALL): Running {
  const said: Running['said'] = []
  const logged: string[] = []
  const device = new ModbusDevice(settingsAt(port), {
    onMessage: (topic, payload) => said.push({ topic, payload }),
    log: (line) => logged.push(line),
  })
  running.push(device)
  device.start(topics)
  const hears = (name: string, payload: string) =>
    eventually(() => said.some((each) => each.topic === `modbus:pump/${name}` && each.payload === payload))
  return { device, said, logged, hears }
}

async function server(port?: number): Promise<ModbusServer> {
  const started = await ModbusServer.start(port)
  running.push(started)
  return started
}

describe('a Modbus device', () => {
  test('is asked for the values that somebody listens to, and for no others', async () => {
    const device = await server()
    device.input(10, -52)
    device.input(11, 314)
    device.input(20, 0b100000)
    const { hears, said } = ask(device.port, new Set(['modbus:pump/outdoor', 'modbus:pump/busy']))
    await hears('outdoor', '-5.2')
    await hears('busy', 'ON')
    device.input(20, 0)
    await hears('busy', 'OFF')
    expect(said.map(({ topic }) => topic)).not.toContain('modbus:pump/flow')
  })

  test('that says that it has no value is not believed to have one', async () => {
    const device = await server()
    device.input(10, -32_768)
    device.input(11, 300)
    const { hears, said } = ask(device.port)
    await hears('flow', '30')
    expect(said.map(({ topic }) => topic)).not.toContain('modbus:pump/outdoor')
  })

  test('is written to within limits, and only where it has another value', async () => {
    const device = await server()
    device.hold(5, 310)
    const { device: pump, hears, logged } = ask(device.port)
    expect(pump.order('modbus:pump/wanted/set', '31')).toBe(true)
    expect(pump.order('modbus:pump/wanted/set', '60')).toBe(false)
    expect(pump.order('modbus:pump/outdoor/set', '20')).toBe(false)
    expect(logged).toEqual([
      expect.stringContaining('60 is not within 20 and 45'),
      expect.stringContaining('only be read'),
    ])
    await hears('wanted', '31')
    expect(device.writes).toEqual([])
    pump.order('modbus:pump/wanted/set', '33.5')
    pump.order('modbus:pump/valve/set', 'ON')
    await hears('wanted', '33.5')
    await hears('valve', 'ON')
    expect(device.holding(5)).toBe(335)
    expect(device.coil(3)).toBe(true)
    expect(device.writes.map(({ address }) => address)).toEqual([5, 3])
  })

  test('that was away gets the newest order when it is back, and the last one before the agent ends', async () => {
    // A port that nobody else is given while the device is away.
    const first = await server(await freePort())
    const { device: pump, hears, logged } = ask(first.port)
    await hears('valve', 'OFF')
    await first.stop()
    await eventually(() => logged.length > 0)
    pump.order('modbus:pump/valve/set', 'ON')
    pump.order('modbus:pump/wanted/set', '30')
    pump.order('modbus:pump/valve/set', 'OFF')
    pump.order('modbus:pump/boost/set', '1')
    const again = await server(first.port)
    await eventually(() => again.holding(6) === 1)
    expect(again.holding(5)).toBe(300)
    expect(again.writes.map(({ address }) => address)).toEqual([5, 6])
    pump.order('modbus:pump/boost/set', '0')
    await pump.stop()
    expect(again.holding(6)).toBe(0)
  })
})

const ANSWER = { header: 7, code: 7, count: 8 }

/** A device that answers a request as `answer` says, or not at all. */
async function strange(answer: (request: Buffer, socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const device: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (request: Buffer) => answer(request, socket))
  })
  device.listen(0, '127.0.0.1')
  await once(device, 'listening')
  running.push({
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      device.close()
      await once(device, 'close')
    },
  })
  return (device.address() as AddressInfo).port
}

/** The right answer to a read, with every word 210. */
function rightAnswer(request: Buffer): Buffer {
  const words = request.readUInt16BE(10)
  const answer = Buffer.alloc(9 + 2 * words)
  request.copy(answer, 0, 0, 8)
  answer.writeUInt16BE(3 + 2 * words, 4)
  answer[ANSWER.count] = 2 * words
  for (let i = 0; i < words; i++) answer.writeUInt16BE(210, 9 + 2 * i)
  return answer
}

describe('what a Modbus device answers', () => {
  const topics = new Set(['modbus:pump/outdoor', 'modbus:pump/flow'])

  test('may come byte by byte', async () => {
    const port = await strange((request, socket) => {
      for (const byte of rightAnswer(request)) socket.write(Buffer.from([byte]))
    })
    await ask(port, topics).hears('flow', '21')
  })

  test.each<[string, (right: Buffer) => Buffer, string]>([
    ['to another request', (right) => Buffer.concat([Buffer.from([0x7f, 0xff]), right.subarray(2)]), 'not asked'],
    ['of another unit', (right) => right.fill(9, 6, 7), 'not asked'],
    ['for another table', (right) => right.fill(1, ANSWER.code, 8), 'not asked'],
    ['twice', (right) => Buffer.concat([right, right]), 'not asked'],
    ['too short', (right) => right.fill(2, ANSWER.count, 9), 'too short or long'],
    ['in HTTP', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'not Modbus TCP'],
    ['with a length that no message has', (right) => right.fill(0xff, 4, 6), 'not Modbus TCP'],
  ])('%s is not believed, and the agent connects anew', async (_, wrong, why) => {
    let requests = 0
    const port = await strange((request, socket) => {
      requests += 1
      const right = rightAnswer(request)
      socket.write(requests === 1 ? wrong(right) : right)
    })
    const { hears, logged } = ask(port, topics)
    await hears('flow', '21')
    expect(logged).toEqual([expect.stringContaining(why)])
  })

  test('about one register that it does not have costs no other', async () => {
    const port = await strange((request, socket) => {
      const from = request.readUInt16BE(8)
      const hasNot = from <= 10 && from + request.readUInt16BE(10) > 10
      const refusal = Buffer.from([...request.subarray(0, 4), 0, 3, request[6] ?? 0, 0x84, 2])
      socket.write(hasNot ? refusal : rightAnswer(request))
    })
    const { hears, logged } = ask(port, topics)
    await hears('flow', '21')
    expect(logged[0]).toContain('outdoor, flow cannot be read: it has no such address')
  })

  test('may come on a new connection each time: a device that closes an idle one is no fault', async () => {
    const closed: Promise<unknown>[] = []
    const port = await strange((request, socket) => {
      socket.end(rightAnswer(request))
      closed.push(once(socket, 'close'))
    })
    const { said, logged } = ask(port, new Set(['modbus:pump/flow']))
    await eventually(() => closed.length > 2 && said.length > 2)
    expect(logged).toEqual([])
  })

  test.each([
    ['busy', 6],
    ['without the device behind it', 11],
  ])('is that it is %s: the order is given again', async (_, code) => {
    let writes = 0
    const port = await strange((request, socket) => {
      const refusal = Buffer.from([...request.subarray(0, 4), 0, 3, request[6] ?? 0, (request[7] ?? 0) | 0x80, code])
      if (request[7] !== 6) socket.write(rightAnswer(request))
      else socket.write(++writes < 2 ? refusal : request)
    })
    const { device } = ask(port, new Set())
    device.order('modbus:pump/boost/set', '0')
    await eventually(() => writes === 2)
  })

  test('does not come: other orders wait, and the agent goes on', async () => {
    let isDeaf = true
    const port = await strange((request, socket) => {
      if (!isDeaf) socket.write(rightAnswer(request))
    })
    const { hears, logged } = ask(port, topics)
    await eventually(() => logged.some((line) => line.includes('it does not answer')))
    isDeaf = false
    await hears('flow', '21')
  })
})

describe('a file', () => {
  const fileWith = (yaml: string) => () => parseGatewayFile(house(1, {}, `\n${yaml}`), 'gateway.yaml')
  const deviceWith = (fields: string) => `modbus: [{ name: pump, ${fields} }]`

  test.each([
    [
      deviceWith('address: 10.0.0.5, map: stiebel'),
      'modbus.0.map: there is no map stiebel; there are: nibe-s, stiebel-isg',
    ],
    [deviceWith('address: "10.0.0.5:99999"'), 'modbus.0.address: must be a host'],
    [
      deviceWith('address: a, values: { x: { table: input, address: 1, write: { min: 0, max: 1 } } }'),
      'modbus.0.values.x: nothing can be written to input',
    ],
    [
      deviceWith('address: a, values: { x: { table: holding, address: 1, bit: 16 } }'),
      'modbus.0.values.x: int16 has no bit 16',
    ],
    ['modbus: [{ name: a, address: b }, { name: a, address: c }]', 'modbus.1.name: a is there twice'],
    [
      'hot_water: { tank: { topic: "modbus:pump/tank" } }',
      'hot_water.tank.topic: no device under modbus or http has modbus:pump/tank',
    ],
    [
      `${deviceWith('address: a, map: stiebel-isg')}\nsupply_temperature: { driver: mqtt, topic: "modbus:pump/flow/set", max_c: 40, fallback_c: 35 }`,
      'supply_temperature.topic: no device under modbus or http has modbus:pump/flow/set',
    ],
  ])('%s is refused', (yaml, why) => {
    expect(fileWith(yaml)).toThrow(why)
  })

  test('may change a value of a map, and add its own', () => {
    const yaml = deviceWith(
      'address: "[fe80::1]:1502", unit: 3, map: nibe-s, values: { flow: { table: input, address: 99 }, own: { table: coil, address: 1 } }',
    )
    const [device] = settingsOf(fileWith(yaml)(), '/').polled.modbus
    expect(device).toMatchObject({ host: 'fe80::1', port: 1502, unit: 3 })
    expect(device?.values.get('flow')?.address).toBe(99)
    expect([...(device?.values.keys() ?? [])]).toEqual(expect.arrayContaining(['outdoor', 'own']))
  })
})

const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'

describeOnBroker('the agent beside a heat pump on Modbus TCP', (at) => {
  test('asks it for water and for a charge, reports its tank, and releases it at the end', async () => {
    const pump = await server()
    pump.input(10, -52)
    pump.input(11, 487)
    const folder = mkdtempSync(join(tmpdir(), 'modbus-'))
    writeFileSync(
      join(folder, 'gateway.yaml'),
      `
service: { url: "${at.brokerUrl}", gateway_id: ${ID}, token: hypg_secret }
devices: { url: "${at.brokerUrl}" }
modbus:
  - name: pump
    address: 127.0.0.1:${pump.port}
    every_s: 1
    values:${VALUES}
supply_temperature: { driver: mqtt, topic: "modbus:pump/wanted/set", max_c: 40, fallback_c: 38 }
hot_water:
  busy: { topic: "modbus:pump/busy" }
  tank: { topic: "modbus:pump/flow" }
  charge: { driver: mqtt, topic: "modbus:pump/boost/set" }
channels: []
`,
    )
    const stop = new AbortController()
    const settings = loadGatewayConfig(join(folder, 'gateway.yaml'))
    const agent = runGateway({ settings, log: () => {}, signal: stop.signal })
    await at.party.on(`hypocaust/v1/${ID}/up/heartbeat`)
    const order = { epoch: 1, seq: 1, issued: new Date().toISOString(), valid_s: 2700 }
    at.party.say(`hypocaust/v1/${ID}/down/source`, { ...order, supply_c: 31.5, hot_water: 'charge' })
    await eventually(() => pump.holding(5) === 315 && pump.holding(6) === 1)
    await at.party.on(`hypocaust/v1/${ID}/up/source`, (text) => text.includes('"tank_c":48.5'))
    pump.input(20, 0b100000)
    await at.party.on(`hypocaust/v1/${ID}/up/source`, (text) => text.includes('"busy":true'))
    stop.abort()
    await agent
    expect([pump.holding(5), pump.holding(6)]).toEqual([380, 0])
    rmSync(folder, { recursive: true })
  })
})
