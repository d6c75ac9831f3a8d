import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { openStore, systemClock } from '@hypocaust/service'
import { hypocaust, type Running, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'

// A house that speaks TLS with an authority of its own: what a person types, in order.

const folder = temporaryFolder()
const env = { XDG_CONFIG_HOME: join(folder.path, 'config') }
const run = (args: string[], input?: string) => hypocaust(folder.path, [...args, '--json'], input, env)
const inData = (args: string[]) => run([...args, '--data', 'data'])

let holder: Holder
let service: Running
let authority: { authority_file: string; authority_sha256: string }
let port: string

beforeAll(async () => {
  const store = await openStore(join(folder.path, 'data'))
  const house = { name: 'Lakeside 12', location: { lat: 59.91, lng: 10.75 }, timezone: 'Europe/Oslo' }
  holder = await settleHolder(store, systemClock, 'ada@example.org', {
    ...house,
    gateways: [{ name: 'cellar' }],
    rooms: [],
  })
  await store.close()
})
afterAll(async () => {
  await service?.end('SIGKILL')
  folder.remove()
})

test('before there is an authority, it says how to make one', async () => {
  const { code, stderr } = await inData(['tls', 'show'])
  const message = 'there is no authority in data. Make one with: hypocaust tls init'
  expect([code, JSON.parse(stderr)]).toEqual([3, { error: { code: 'not_found', message } }])
})

test('tls init makes the authority and tells where a phone takes it', async () => {
  const { json } = await inData(['tls', 'init', '--name', 'Warm.lan'])
  authority = json
  expect(json.authority_is_new).toBe(true)
  expect(json.authority_sha256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  expect(json.certificate_names).toContain('localhost')
  expect(json.certificate_names).toContain('warm.lan')
  expect(json.certificate_names).toContain(`${hostname().split('.')[0]?.toLowerCase()}.local`)
  expect(json.phone_url).toMatch(/^http:\/\/.+:8080\/authority$/)
  expect(statSync(join(folder.path, 'data/tls/authority-key.pem')).mode & 0o777).toBe(0o600)
})

test('for a person it shows the fingerprint and a code to scan', async () => {
  const { stdout } = await hypocaust(folder.path, ['tls', 'show', '--data', 'data', '--port', '9443'])
  expect(stdout).toContain(authority.authority_sha256)
  expect(stdout).toMatch(/A phone takes the authority at http:\/\/.+:9443\/authority/)
  expect(stdout).toContain('▄▄▄▄▄')
  expect(stdout).toContain('--host 0.0.0.0')
})

test('serve uses it by itself', async () => {
  const flags = ['--data', 'data', '--port', '0', '--mqtt-port', '0', '--log-level', 'warn']
  service = await start(folder.path, ['serve', ...flags])
  port = new URL(service.url).port
  expect(service.stdout).toMatch(/listens on https:/)
  expect(await (await fetch(`http://127.0.0.1:${port}/authority.crt`)).text()).toBe(
    readFileSync(join(folder.path, authority.authority_file), 'utf8'),
  )
})

test('doctor finds the service behind its certificate, and says how long that lasts', async () => {
  const { json } = await inData(['doctor', '--port', port, '--mqtt-port', '0'])
  const finding = (name: string) => json.find(({ check }: { check: string }) => check === name)
  expect(finding('HTTP port').finding).toContain('Hypocaust is running')
  expect(finding('Certificate').finding).toMatch(/^for .*warm\.lan.* until \d{4}-\d\d-\d\d, renewed by itself/)
})

test('a pairing code names the port of the service, which need not be that of the settings', async () => {
  const { json } = await inData(['gateway', 'pairing-code', holder.gatewayIds[0] ?? ''])
  expect(json.service).toBe(service.url)
  const elsewhere = await inData(['gateway', 'pairing-code', holder.gatewayIds[0] ?? '', '--port', '9443'])
  expect(elsewhere.json.service).toBe('https://127.0.0.1:9443')
})

test('a gateway pairs over it, knowing the authority by its fingerprint, and reaches the broker', async () => {
  const { json } = await inData(['gateway', 'pairing-code', holder.gatewayIds[0] ?? '', '--port', port])
  expect(json).toMatchObject({ service: service.url, authority: authority.authority_sha256 })
  const pair = ['gateway', 'pair', '--service', json.service, '--code', json.code]

  const blind = await run(pair)
  expect([blind.code, blind.stderr]).toEqual([1, expect.stringContaining('cannot be reached')])
  const wrong = await run([...pair, '--authority', '00'.repeat(32)])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is not the one asked for')])

  expect((await run([...pair, '--authority', json.authority])).code).toBe(0)
  const credentials = JSON.parse(readFileSync(join(folder.path, 'data/credentials.json'), 'utf8'))
  expect(credentials.url).toMatch(/^mqtts:\/\/127\.0\.0\.1:\d+$/)
  const { url, gateway_id, token, ca } = credentials
  const client = await connectAsync(url, { username: gateway_id, clientId: gateway_id, password: token, ca }, false)
  await client.endAsync()
})

test('a holder logs in over it with the authority’s file, and once is enough', async () => {
  const login = ['login', `https://localhost:${port}`]
  const blind = await run(login, `${holder.readKey}\n`)
  expect(blind.code).toBe(5)
  const nonsense = await run([...login, '--ca', 'data/tls/names.json'], `${holder.readKey}\n`)
  expect([nonsense.code, nonsense.stderr]).toEqual([2, expect.stringContaining('names.json is not a certificate')])
  const { json } = await run([...login, '--ca', authority.authority_file], `${holder.readKey}\n`)
  expect(json.buildings).toEqual(['Lakeside 12'])
  expect((await run(['rooms'])).code).toBe(0)
})

test('again it keeps the authority, and refuses a name the authority is not for', async () => {
  const { json } = await inData(['tls', 'init'])
  expect(json).toMatchObject({ authority_is_new: false, authority_sha256: authority.authority_sha256 })
  expect(json.certificate_names).toContain('warm.lan')
  const foreign = await inData(['tls', 'init', '--name', 'bank.example'])
  expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining('was not made for bank.example')])
  const nonsense = await inData(['tls', 'init', '--name', 'a b'])
  expect([nonsense.code, nonsense.stderr]).toEqual([2, expect.stringContaining('neither a host name nor an address')])
})
