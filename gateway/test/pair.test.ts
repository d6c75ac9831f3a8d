import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMain } from '@hypocaust/testing/agent-process.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pairGateway } from '../src/index.ts'

const PAIRED = {
  gateway_id: '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e',
  token: 'hypg_secret',
  gateway: 'cellar',
  building: 'Lakeside 12',
  mqtt: { port: 8883, tls: true },
}

describe('pairing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pair-'))
  const asked: string[] = []
  let answer: { status: number; body: string }
  let server: Server
  let url: string

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      asked.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  })

  const pair = (serviceUrl = url) => pairGateway({ serviceUrl, code: 'abcd-efgh', dataFolder: join(folder, 'data') })

  test('the code becomes an identity that only its owner can read', async () => {
    answer = { status: 200, body: JSON.stringify(PAIRED) }
    const paired = await pair()
    expect(asked).toEqual(['POST /app/gateways/pair application/json {"code":"ABCD-EFGH"}'])
    expect(paired).toMatchObject({ gateway: 'cellar', building: 'Lakeside 12', mqttUrl: 'mqtts://127.0.0.1:8883' })
    expect(statSync(paired.file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(paired.file, 'utf8'))).toEqual({
      url: 'mqtts://127.0.0.1:8883',
      gateway_id: PAIRED.gateway_id,
      token: 'hypg_secret',
    })
  })

  test('a box that replaces another gets its file, and keeps one that is there', async () => {
    const text = 'devices: { url: "mqtt://127.0.0.1" }\nchannels: []\n'
    answer = { status: 200, body: JSON.stringify({ ...PAIRED, file: text }) }
    const box = mkdtempSync(join(folder, 'box-'))
    const args = ['pair', '--service', url, '--code', 'ABCD-EFGH']
    const first = await runMain(args, box)
    expect(first.output).toContain('gateway.yaml was written as the box before had it')
    const file = join(box, 'gateway.yaml')
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, `${text}# mine\n`)
    expect((await runMain(args, box)).output).not.toContain('was written')
    expect(readFileSync(file, 'utf8')).toContain('# mine')
  })

  test('a broker that is elsewhere is reached there', async () => {
    const mqtt = { host: 'mqtt.example', port: 8883, tls: true }
    answer = { status: 200, body: JSON.stringify({ ...PAIRED, mqtt }) }
    expect(await pair()).toMatchObject({ mqttUrl: 'mqtts://mqtt.example:8883' })
  })

  test('a service behind a path is asked there', async () => {
    answer = { status: 200, body: JSON.stringify(PAIRED) }
    await pair(`${url}/heating/`)
    expect(asked.at(-1)).toContain('POST /heating/app/gateways/pair ')
  })

  test('a refusal is passed on in the service’s words', async () => {
    answer = { status: 404, body: JSON.stringify({ error: { code: 'not_found', message: 'The code has expired' } }) }
    await expect(pair()).rejects.toThrow(`${url} refused the code: The code has expired`)
    answer = { status: 502, body: '<html>' }
    await expect(pair()).rejects.toThrow('refused the code: status 502')
  })

  test('an answer of another program is not taken for the service’s', async () => {
    answer = { status: 200, body: '{"hello":"world"}' }
    await expect(pair()).rejects.toThrow('did not answer like a Hypocaust service')
  })

  test('an address that cannot be, and one where nobody is', async () => {
    await expect(pair('heating.example')).rejects.toThrow('is no address of a service')
    await expect(pair('http://127.0.0.1:1')).rejects.toThrow('http://127.0.0.1:1 cannot be reached')
  })
})
