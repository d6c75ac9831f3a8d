import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Notice } from '@hypocaust/domain'
import { applyHouse, createAccount, createPairingCode, openStore, systemClock } from '@hypocaust/service'
import { ENV, MAIN } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { HOUSE } from '@hypocaust/testing/houses.ts'
import { startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { programOf } from '@hypocaust/testing/program-of.ts'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DEPLOY } from './installation.ts'

const APP = join(DEPLOY, 'home-assistant-app')
const yamlOf = (name: string) => parse(readFileSync(join(APP, name), 'utf8'))

test('every option and port of the app has its words in English and German', () => {
  const { schema, ports } = yamlOf('config.yaml')
  for (const language of ['en', 'de']) {
    const { configuration, network } = yamlOf(`translations/${language}.yaml`)
    expect(Object.keys(configuration)).toEqual(Object.keys(schema))
    expect(Object.keys(network)).toEqual(Object.keys(ports))
  }
})

test('the app and the product have one version', () => {
  const { version } = JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8'))
  expect(yamlOf('config.yaml').version).toBe(version)
})

const EMAIL = 'a@example.org'
const PASSWORD = 'correct horse battery'
const GATEWAY = `
channels:
  - { channel: 1, name: Bathroom, driver: mqtt, set: { topic: valve/set, on: ON, off: OFF } }
`

/** An account with a house, and the code for its gateway as the website shows it. */
async function settle(dataFolder: string): Promise<string> {
  const store = await openStore(dataFolder)
  const created = await createAccount(store, EMAIL, PASSWORD)
  if (created.kind !== 'created') throw new Error(created.kind)
  const options = { accountId: created.account.id, overwriteSettings: false, prune: false }
  await applyHouse(store, systemClock, HOUSE, options)
  const gateway = await store.db
    .selectFrom('gateways')
    .select('id')
    .where('name', '=', 'cellar')
    .executeTakeFirstOrThrow()
  const code = await createPairingCode(store, systemClock, gateway.id)
  await store.close()
  return code
}

/** The Supervisor as the app sees it, with the broker of Home Assistant behind it. */
async function playSupervisor(mqttPort: number) {
  const asked: { path: string; token: string; body: string }[] = []
  const played = { asked, discoveryStatus: 200, url: '', close: () => server.close() }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    asked.push({ path: `${request.method} ${request.url}`, token: String(request.headers.authorization), body })
    const broker = { host: '127.0.0.1', port: mqttPort, ssl: false, username: 'apps', password: 'secret' }
    if (request.url === '/discovery') response.statusCode = played.discoveryStatus
    response.end(JSON.stringify({ result: 'ok', data: request.url === '/services/mqtt' ? broker : { uuid: 'u' } }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  played.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return played
}

/** The app with its folders, as the Supervisor starts it. */
async function prepareApp(supervisorUrl: string) {
  const folder = temporaryFolder()
  const [data, config] = [join(folder.path, 'data'), join(folder.path, 'config')]
  for (const each of [data, config]) mkdirSync(each)
  const port = await freePort()
  const env = {
    ...ENV,
    APP_DATA: data,
    APP_CONFIG: config,
    APP_COMMAND: MAIN,
    APP_RETRY_MS: '100',
    APP_SUPERVISOR: supervisorUrl,
    SUPERVISOR_TOKEN: 'token',
    HYPOCAUST_PORT: String(port),
    HYPOCAUST_MQTT_PORT: String(await freePort()),
  }
  const run = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [programOf('home-assistant'), ...args], { env, stdio: 'inherit' })
  const options = (pairing_code?: string) =>
    writeFileSync(join(data, 'options.json'), JSON.stringify({ log_level: 'warn', pairing_code }))
  const describe = (gateway: string) => writeFileSync(join(config, 'gateway.yaml'), gateway)
  options()
  return { folder, data, url: `http://127.0.0.1:${port}`, port, run, options, describe }
}

async function ended(app: ChildProcess): Promise<number> {
  const [exit] = await once(app, 'exit')
  return exit
}

describe.skipIf(withoutMosquitto())('the start script, with a Supervisor that is played', { timeout: 180_000 }, () => {
  test('runs service and agent, finds the broker by itself, and offers the integration', async () => {
    const mosquitto = await startMosquitto()
    const supervisor = await playSupervisor(mosquitto.port)
    const { folder, data, url, port, run, options, describe } = await prepareApp(supervisor.url)
    describe(GATEWAY)
    options(await settle(join(data, 'hypocaust')))
    const party = await Party.join(mosquitto.url)
    const app = run()
    // The agent switches its relay off when it starts.
    await party.on('valve/set')
    expect(existsSync(join(data, 'gateway', 'credentials.json'))).toBe(true)
    const discovery = await eventually(() => supervisor.asked.find(({ path }) => path === 'POST /discovery'))
    expect(discovery.token).toBe('Bearer token')
    expect(JSON.parse(discovery.body)).toMatchObject({
      service: 'hypocaust',
      config: { port, installation: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    })
    await eventually(async () => (await fetch(`${url}/health/ready`)).ok)
    app.kill('SIGTERM')
    expect(await ended(app)).toBe(0)
    await expect(fetch(`${url}/health/live`)).rejects.toThrow()
    await party.leave()
    await mosquitto.stop()
    supervisor.close()
    folder.remove()
  })

  test('a part that fails is a notice on the page, is tried again, and never ends the service', async () => {
    const mosquitto = await startMosquitto()
    const supervisor = await playSupervisor(mosquitto.port)
    const { folder, data, url, run, options, describe } = await prepareApp(supervisor.url)
    const code = await settle(join(data, 'hypocaust'))
    supervisor.discoveryStatus = 500
    describe('channels: [')
    const app = run()
    const cookie = await eventually(() => signIn(url).catch(() => undefined))
    const kinds = async () => {
      const notices = (await (await fetch(`${url}/app/notices`, { headers: { cookie } })).json()) as Notice[]
      return notices.map(({ kind }) => kind).sort()
    }
    const untilNoticesAre = (...expected: Notice['kind'][]) =>
      eventually(async () => (await kinds()).join() === expected.join())

    await untilNoticesAre('agent_not_configured', 'discovery_failed')
    supervisor.discoveryStatus = 200
    await untilNoticesAre('agent_not_configured')
    describe('chanels: []')
    await untilNoticesAre('agent_not_paired')
    options('ABCD-EFGH')
    describe(GATEWAY)
    await untilNoticesAre('pairing_failed')
    const party = await Party.join(mosquitto.url)
    const switchedOff = party.on('valve/set')
    options(code)
    await switchedOff
    await untilNoticesAre()
    expect((await fetch(`${url}/health/ready`)).ok).toBe(true)
    app.kill('SIGTERM')
    expect(await ended(app)).toBe(0)
    await party.leave()
    await mosquitto.stop()
    supervisor.close()
    folder.remove()
  })
})

test('a backup of Home Assistant’s is taken while the service runs, and comes back after a restore', async () => {
  const { folder, data, url, run } = await prepareApp('http://127.0.0.1:9')
  await settle(join(data, 'hypocaust'))
  const first = run()
  await eventually(() => signIn(url).catch(() => undefined))
  expect(await ended(run('before-backup'))).toBe(0)
  first.kill('SIGTERM')
  expect(await ended(first)).toBe(0)

  // What config.yaml leaves out of the backup.
  const { backup_exclude: leftOut } = yamlOf('config.yaml')
  expect(leftOut).toEqual(['*/hypocaust/hypocaust.db*'])
  for (const name of readdirSync(join(data, 'hypocaust')).filter((each) => each.startsWith('hypocaust.db')))
    rmSync(join(data, 'hypocaust', name))
  const second = run()
  await eventually(() => signIn(url).catch(() => undefined))
  expect(existsSync(join(data, 'hypocaust.backup'))).toBe(false)
  second.kill('SIGTERM')
  expect(await ended(second)).toBe(0)
  folder.remove()
})

/** The cookie of a session. */
async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/app/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`sign-in: ${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
}
