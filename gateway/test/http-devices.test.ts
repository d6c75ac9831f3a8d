import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { house } from '@hypocaust/testing/agent-simulation.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { copyOf } from '../src/config/copy.ts'
import { parseGatewayFile, settingsOf } from '../src/config/load.ts'
import { HttpDevice } from '../src/polled/http-device.ts'

interface Asked {
  method: string
  url: string
  body: string
  token: string | undefined
}

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
})

type Answer = (asked: Asked, response: ServerResponse) => void

async function server(answer: Answer): Promise<{ base: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const http = createServer(async (request: IncomingMessage, response) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, body: await text(request), token: headers.authorization }
    asked.push(one)
    answer(one, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  running.push({
    stop: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  })
  return { base: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, asked }
}

function ask(yaml: string, topics = new Set(['http:inverter'])) {
  const file = parseGatewayFile(house(1, {}, `\nhttp:\n  - name: inverter\n    every_s: 1\n${yaml}`), 'gateway.yaml')
  const [settings] = settingsOf(file, '/').polled.http
  if (!settings) throw new Error('no device')
  const said: string[] = []
  const logged: string[] = []
  const device = new HttpDevice(settings, {
    onMessage: (_, payload) => said.push(payload),
    log: (line) => logged.push(line),
  })
  running.push(device)
  device.start(topics)
  return { device, said, logged }
}

describe('a device with an HTTP interface', () => {
  test('is asked with its headers, and what it answers is a message', async () => {
    const { base, asked } = await server((_, response) => response.end('{"export":{"w":812}}'))
    const { said } = ask(`    get: ${base}/api/status?all=1\n    headers: { Authorization: Bearer secret }`)
    await eventually(() => said.length > 1)
    expect(said[0]).toBe('{"export":{"w":812}}')
    expect(asked[0]).toEqual({ method: 'GET', url: '/api/status?all=1', body: '', token: 'Bearer secret' })
  })

  test('takes orders within limits in address and body, also where nobody listens to it', async () => {
    const { base, asked } = await server((_, response) => response.end())
    const { device, logged } = ask(
      `    orders:
      supply: { method: PUT, url: "${base}/supply", body: '{"c":{value}}', min: 20, max: 45 }
      mode: { url: "${base}/mode?to={value}", method: GET }`,
      new Set(),
    )
    expect(device.order('http:inverter/supply/set', '31.5')).toBe(true)
    expect(device.order('http:inverter/supply/set', '60')).toBe(false)
    expect(device.order('http:inverter/other/set', '1')).toBe(false)
    expect(device.order('http:inverter/mode/set', 'a b&c')).toBe(true)
    await eventually(() => asked.length === 2)
    expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PUT', '/supply', '{"c":31.5}'],
      ['GET', '/mode?to=a%20b%26c', ''],
    ])
    expect(logged).toEqual([expect.stringContaining('60 is not within 20 and 45')])
  })

  test('that fails gets the newest order once it is well; one that refuses is not asked again', async () => {
    let status = 503
    const { base, asked } = await server((_, response) => response.writeHead(status).end())
    const { device, logged } = ask(`    orders: { supply: { url: "${base}/", body: "{value}" } }`)
    device.order('http:inverter/supply/set', '30')
    await eventually(() => logged.some((line) => line.includes('503')))
    device.order('http:inverter/supply/set', '35')
    status = 204
    await eventually(() => asked.at(-1)?.body === '35')
    status = 422
    device.order('http:inverter/supply/set', '40')
    await eventually(() => logged.some((line) => line.includes('422')))
    const refused = asked.length
    status = 204
    device.order('http:inverter/supply/set', '20')
    await eventually(() => asked.at(-1)?.body === '20')
    expect(asked).toHaveLength(refused + 1)
  })

  test('keeps its address out of the log, which may have a key in its path', async () => {
    const { base } = await server((_, response) => response.writeHead(403).end())
    const { device, logged } = ask(
      `    get: ${base}/api/secret1/status\n    orders: { supply: { url: "${base}/api/secret2/{value}" } }`,
    )
    device.order('http:inverter/supply/set', '30')
    await eventually(() => new Set(logged).size > 1)
    expect(new Set(logged)).toEqual(
      new Set(['http:inverter/supply: POST answers 403', 'http:inverter: GET answers 403']),
    )
  })

  test.each<[string, Answer, string]>([
    ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), '302'],
    ['an answer without end', (_, response) => response.write(Buffer.alloc(400_000, 'x')), 'too long'],
    ['an error', (_, response) => response.writeHead(500).end('{"w":5}'), '500'],
    ['a connection that breaks', (_, response) => response.destroy(), 'socket hang up'],
  ])('%s is no message', async (_, answer, why) => {
    const { base, asked } = await server(answer)
    const { said, logged } = ask(`    get: ${base}/`)
    await eventually(() => logged.some((line) => line.includes(why)))
    expect(said).toEqual([])
    expect(asked.map(({ url }) => url)).not.toContain('/elsewhere')
  })

  test('keeps its headers to itself where the service keeps a copy of the file', () => {
    const copy = copyOf('http:\n  - name: a\n    get: http://user:secret1@10.0.0.1/\n    headers: { X-Key: secret2 }\n')
    expect(copy).toContain('10.0.0.1')
    expect(copy).not.toContain('secret')
  })

  test('keeps what its addresses and orders prove themselves with to itself too', () => {
    const file = [
      'http:',
      '  - name: a',
      '    get: http://10.0.0.1/status?room=3&api_key=secret1&unit=2',
      '    orders:',
      '      heat:',
      '        url: "http://10.0.0.1/set?Token=secret2&to={value}"',
      `        body: '{"password": "secret3", "accessToken":"secret4", "to": {value}, "keypad": "{value}"}'`,
      '        min: 0',
      '        max: 50',
    ].join('\n')
    const copy = copyOf(file)
    expect(copy).not.toContain('secret')
    for (const kept of ['room=3', 'unit=2', 'to={value}', '"to": {value}', '"keypad": "{value}"'])
      expect(copy).toContain(kept)
  })

  test.each([
    ['name: a', 'http.0: needs get or orders'],
    ['name: a, get: "ftp://x"', 'http.0.get'],
    ['name: a, orders: { x: { url: "http://b/" } }', 'http.0.orders.x: needs {value}'],
    ['name: a, orders: { x: { url: "http://b/{value}", min: 5, max: 1 } }', 'http.0.orders.x.min: is above max'],
  ])('with %s the file is refused', (fields, why) => {
    expect(() => parseGatewayFile(house(1, {}, `\nhttp: [{ ${fields} }]`), 'gateway.yaml')).toThrow(why)
  })
})
