import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hypocaust, type Running, start } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { mosquittoProgram } from '@hypocaust/testing/mosquitto.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The gateway is a person with Mosquitto's own tools; the house is set up with the product's own command.

function withoutTools(): boolean {
  const missing = ['mosquitto_pub', 'mosquitto_sub', 'mosquitto_rr'].filter(
    (tool) => spawnSync(tool, ['--help']).error !== undefined,
  )
  if (missing.length === 0 && mosquittoProgram()) return false
  if (process.env.CI === 'true') throw new Error('missing: apt-get install mosquitto mosquitto-clients')
  console.warn('SKIPPED: Mosquitto or its tools are not installed (apt-get install mosquitto mosquitto-clients)')
  return true
}

const HOUSE = join(import.meta.dirname, '../../cli/test/house.yaml')
const SENSOR = 'a4:c1:38:5e:01:02'
const ACCOUNT = ['--account', 'ada@example.org']
const run = promisify(execFile)

interface Gateway {
  id: string
  token: string
}

const folder = temporaryFolder()
let port: number
let service: Running
let broker: ChildProcess | undefined
let buildingId: string
let cellar: Gateway
let attic: Gateway
const keys: Record<'read' | 'write', string> = { read: '', write: '' }

const command = async (args: string[], input?: string) => {
  const outcome = await hypocaust(folder.path, [...args, '--data', 'data', '--json'], input)
  if (outcome.code !== 0) throw new Error(`hypocaust ${args.join(' ')}: ${outcome.stderr}`)
  return outcome.json
}

const serve = (mqttPort: number) =>
  start(folder.path, ['serve', '--data', 'data', '--port', '0', '--mqtt-port', String(mqttPort), '--log-level', 'warn'])

const access = ({ id, token }: Gateway) => [
  '-h',
  '127.0.0.1',
  '-p',
  String(port),
  '-V',
  'mqttv311',
  '-u',
  id,
  '-P',
  token,
]
const up = ({ id }: Gateway, name: string) => `hypocaust/v1/${id}/up/${name}`
const down = ({ id }: Gateway, name: string) => `hypocaust/v1/${id}/down/${name}`

const publish = (as: Gateway, topic: string, message: object) =>
  run('mosquitto_pub', [...access(as), '-q', '1', '-t', topic, '-m', JSON.stringify(message)])

/** Everything heard below its own topics, and what it tries to overhear; its retained configuration comes first. */
async function listen(as: Gateway, ...others: string[]) {
  const topics = [down(as, '#'), ...others].flatMap((topic) => ['-t', topic])
  const child = spawn('mosquitto_sub', [...access(as), '-q', '1', ...topics, '-F', '%t %p'])
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const said = () => output.split('\n').filter((line) => line.startsWith('hypocaust/v1/'))
  await eventually(() => said().length > 0)
  return {
    said,
    async stop() {
      const ended = once(child, 'close')
      child.kill()
      await ended
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
const get = async (path: string): Promise<any> =>
  (await fetch(`${service.url}/v1/buildings/${buildingId}${path}`, { headers: { 'x-api-key': keys.read } })).json()

const bathroom = async () => (await get('/rooms'))[0]

const switchTo = async (power: number) =>
  fetch(`${service.url}/v1/buildings/${buildingId}/rooms/${(await bathroom()).id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': keys.write, 'content-type': 'application/json' },
    body: JSON.stringify({ manual_power: { enabled: true, power } }),
  })

const reading = (temperature: number) => ({
  id: SENSOR,
  temperature,
  humidity: 47,
  timestamp: new Date().toISOString(),
})

describe.skipIf(withoutTools())('with Mosquitto’s tools as the gateway', () => {
  beforeAll(async () => {
    port = await freePort()
    await command(['account', 'create', 'ada@example.org', '--password-stdin'], 'correct horse battery\n')
    service = await serve(port)
    const applied = await command(['building', 'apply', HOUSE, ...ACCOUNT])
    buildingId = applied.building.id
    cellar = applied.gateways[0]
    keys.read = (await command(['key', 'create', ...ACCOUNT, '--name', 'r', '--permission', 'read'])).key
    keys.write = (await command(['key', 'create', ...ACCOUNT, '--name', 'w', '--permission', 'write'])).key
    const added = await command(['gateway', 'add', '--building', buildingId, '--name', 'attic'])
    const paired = await fetch(`${service.url}/app/gateways/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: added.code }),
    })
    const { gateway_id: id, token } = (await paired.json()) as { gateway_id: string; token: string }
    expect(id).toBe(added.id)
    attic = { id, token }
  })
  afterAll(async () => {
    await service.end('SIGKILL')
    broker?.kill('SIGKILL')
    folder.remove()
  })

  const speaksTheProtocol = async (temperature: number, power: number) => {
    const heard = await listen(cellar)
    await publish(cellar, up(cellar, 'heartbeat'), { boot: 'b1' })
    await eventually(async () => (await get('')).available === true)

    const message = JSON.stringify({ boot: 'b1', n: temperature * 10, readings: [reading(temperature)] })
    const { stdout } = await run('mosquitto_rr', [
      ...access(cellar),
      ...['-q', '1', '-t', up(cellar, 'readings'), '-e', down(cellar, 'commit'), '-m', message],
    ])
    expect(JSON.parse(stdout)).toEqual({ boot: 'b1', n: temperature * 10 })
    expect(await bathroom()).toMatchObject({ current_temperature: temperature, current_humidity: 47 })

    expect((await switchTo(power)).status).toBe(200)
    await eventually(() => heard.said().some((line) => line.includes(`"channel":1,"power":${power}`)))
    await heard.stop()
  }

  /** Another gateway tries to hear and to speak in this one's name. */
  const keepsOthersOut = async (power: number) => {
    const before = await bathroom()
    const [eavesdropper, rightful] = [await listen(attic, down(cellar, '#')), await listen(cellar)]
    await publish(attic, up(cellar, 'readings'), { boot: 'b2', n: 1, readings: [reading(35)] }).catch(() => undefined)
    await publish(attic, down(cellar, 'power'), { epoch: 9, seq: 9, issued: '', valid_s: 1, valves: [] }).catch(
      () => undefined,
    )
    await switchTo(power)
    await eventually(() => rightful.said().some((line) => line.includes(`"power":${power}`)))
    expect(rightful.said().filter((line) => line.includes('"epoch":9'))).toEqual([])
    expect(eavesdropper.said().filter((line) => line.includes(cellar.id))).toEqual([])
    expect((await bathroom()).current_temperature).toBe(before.current_temperature)
    await Promise.all([eavesdropper.stop(), rightful.stop()])
  }

  test('embedded broker: heartbeat, readings with commit, a command after a change', () =>
    speaksTheProtocol(21.5, 0.25))

  test('embedded broker: another gateway can neither hear nor speak for it', () => keepsOthersOut(0.45))

  test('the gateways are listed with when they were last seen', async () => {
    const list = await command(['gateway', 'list', '--building', buildingId])
    expect(list).toMatchObject([
      { id: cellar.id, name: 'cellar' },
      { id: attic.id, name: 'attic', last_seen: null },
    ])
    expect(list[0].last_seen).toMatch(/Z$/)
  })

  test('a rotated token replaces the old one at the running broker', async () => {
    const old = attic
    const { token } = await command(['gateway', 'rotate-token', attic.id])
    attic = { id: old.id, token }
    await expect(publish(old, up(old, 'heartbeat'), { boot: 'b' })).rejects.toThrow()
    await publish(attic, up(attic, 'heartbeat'), { boot: 'b' })
  })

  test('Mosquitto with the written files lets in the same gateways, and nobody else', async () => {
    await command(['broker', 'mosquitto-config', '--out', 'mosquitto'])
    await service.end('SIGTERM')
    const files = join(folder.path, 'mosquitto')
    const password = readFileSync(join(files, 'service-password'), 'utf8').trim()
    spawnSync('chmod', ['755', folder.path])
    writeFileSync(join(folder.path, 'mosquitto.conf'), `listener ${port} 127.0.0.1\ninclude_dir ${files}\n`)
    broker = spawn(mosquittoProgram() ?? '', ['-c', join(folder.path, 'mosquitto.conf')], { stdio: 'ignore' })
    writeFileSync(join(folder.path, 'hypocaust.yaml'), `mqtt_url: mqtt://hypocaust:${password}@127.0.0.1:${port}\n`)
    service = await serve(0)
    await eventually(() =>
      publish(cellar, up(cellar, 'heartbeat'), { boot: 'b1' }).then(
        () => true,
        () => false,
      ),
    )
    await expect(publish({ id: cellar.id, token: attic.token }, up(cellar, 'heartbeat'), {})).rejects.toThrow()
  })

  test('Mosquitto: heartbeat, readings with commit, a command after a change', () => speaksTheProtocol(22.5, 0.35))

  test('Mosquitto: another gateway can neither hear nor speak for it', () => keepsOthersOut(0.55))

  test('Mosquitto: a removed gateway is out after the files were written anew and read again', async () => {
    await command(['gateway', 'remove', attic.id])
    await command(['broker', 'mosquitto-config', '--out', 'mosquitto'])
    broker?.kill('SIGHUP')
    await eventually(() =>
      publish(attic, up(attic, 'heartbeat'), { boot: 'b' }).then(
        () => false,
        () => true,
      ),
    )
    await publish(cellar, up(cellar, 'heartbeat'), { boot: 'b1' })
  })
})
