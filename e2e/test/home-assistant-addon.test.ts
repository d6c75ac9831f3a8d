import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { applyHouse, createAccount, createPairingCode, openStore, systemClock } from '@hypocaust/service'
import { ENV, MAIN } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { HOUSE } from '@hypocaust/testing/houses.ts'
import { startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DEPLOY } from './installation.ts'

const ADDON = join(DEPLOY, 'home-assistant-addon')
const yamlOf = (name: string) => parse(readFileSync(join(ADDON, name), 'utf8'))

test('every option and port of the add-on has its words in English and German', () => {
  const { schema, ports } = yamlOf('config.yaml')
  for (const language of ['en', 'de']) {
    const { configuration, network } = yamlOf(`translations/${language}.yaml`)
    expect(Object.keys(configuration)).toEqual(Object.keys(schema))
    expect(Object.keys(network)).toEqual(Object.keys(ports))
  }
})

test('the add-on and the product have one version, and the image has every file of the start script', () => {
  const { version } = JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8'))
  expect(yamlOf('config.yaml').version).toBe(version)
  const copied = /COPY (.*) \/opt/.exec(readFileSync(join(ADDON, 'Dockerfile'), 'utf8'))?.[1]?.split(' ')
  const imported = readFileSync(join(ADDON, 'run.ts'), 'utf8').matchAll(/from '\.\/([\w-]+\.ts)'/g)
  expect(copied?.sort()).toEqual(['run.ts', ...[...imported].map(([, name]) => name)].sort())
})

const GATEWAY = `
channels:
  - { channel: 1, name: Bathroom, driver: mqtt, set: { topic: valve/set, on: ON, off: OFF } }
`

/** An account with a house, and the code for its gateway as the website shows it. */
async function settle(dataFolder: string): Promise<string> {
  const store = await openStore(dataFolder)
  const created = await createAccount(store, 'a@example.org', 'correct horse battery')
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

describe.skipIf(withoutMosquitto())('the start script, with a Supervisor that is played', { timeout: 180_000 }, () => {
  test('runs service and agent, finds the broker by itself, and offers the integration', async () => {
    const folder = temporaryFolder()
    const mosquitto = await startMosquitto()
    const asked: { path: string; token: string; body: string }[] = []
    const supervisor = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      asked.push({ path: `${request.method} ${request.url}`, token: String(request.headers.authorization), body })
      const broker = { host: '127.0.0.1', port: mosquitto.port, ssl: false, username: 'addons', password: 'secret' }
      response.end(JSON.stringify({ result: 'ok', data: request.url === '/services/mqtt' ? broker : { uuid: 'u' } }))
    })
    await once(supervisor.listen(0, '127.0.0.1'), 'listening')
    const [data, config] = [join(folder.path, 'data'), join(folder.path, 'config')]
    for (const each of [data, config]) mkdirSync(each)
    const port = await freePort()
    writeFileSync(join(config, 'gateway.yaml'), GATEWAY)
    const code = await settle(join(data, 'hypocaust'))
    writeFileSync(join(data, 'options.json'), JSON.stringify({ log_level: 'warn', pairing_code: code }))

    const addon = spawn(process.execPath, [join(ADDON, 'run.ts')], {
      env: {
        ...ENV,
        ADDON_DATA: data,
        ADDON_CONFIG: config,
        ADDON_COMMAND: MAIN,
        ADDON_SUPERVISOR: `http://127.0.0.1:${(supervisor.address() as AddressInfo).port}`,
        SUPERVISOR_TOKEN: 'token',
        HYPOCAUST_PORT: String(port),
        HYPOCAUST_MQTT_PORT: String(await freePort()),
      },
      stdio: 'inherit',
    })
    const party = await Party.join(mosquitto.url)
    // The agent switches its relay off when it starts.
    await party.on('valve/set')
    expect(existsSync(join(data, 'gateway', 'credentials.json'))).toBe(true)
    const discovery = asked.find(({ path }) => path === 'POST /discovery')
    expect(discovery?.token).toBe('Bearer token')
    expect(JSON.parse(discovery?.body ?? '')).toMatchObject({
      service: 'hypocaust',
      config: { port, installation: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    })
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok)
    addon.kill('SIGTERM')
    const [exit] = await once(addon, 'exit')
    expect(exit).toBe(0)
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow()
    await party.leave()
    await mosquitto.stop()
    supervisor.close()
    folder.remove()
  })
})
