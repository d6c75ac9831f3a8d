import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppBuilding, Room, RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import { hypocaust, type Running, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { bundledPackage } from '@hypocaust/testing/program-of.ts'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HypocaustClient } from '../../client/src/client.ts'
import { zipIntegration } from '../../scripts/release/home-assistant.ts'
import { placeholdersIn } from '../../scripts/release/placeholders.ts'
import { installRelease, isNewEnough, NODE_PACKAGE, PLAIN_ENV, plainNode, runIn } from './installed.ts'
import { describeInBrowser, pressed, sharedBrowser, signIn } from './site.ts'

/** Packing, installing and a simulated fortnight take seconds on a quiet machine, so all tests are about the same. */
const PATIENCE_MS = 600_000

const folder = temporaryFolder()
const home = join(folder.path, 'home')
const command = join(home, 'node_modules/.bin/hypocaust')
const run = (args: string[]) => runIn(home, command, args)

beforeAll(async () => {
  if (plainNode) await installRelease(folder.path, home)
  else mkdirSync(home)
}, PATIENCE_MS)
afterAll(() => folder.remove())

describe.skipIf(!plainNode)('a release, installed in an empty folder under the Node of the machine', () => {
  test('the client package holds compiled code and its types only', () => {
    const files = readdirSync(join(home, 'node_modules/@hypocaust/client'), { recursive: true, encoding: 'utf8' })
    const others = files.filter((name) => !/\.(js|d\.ts)$/.test(name)).sort()
    const folders = ['cjs', 'cjs/generated', 'generated']
    expect(others).toEqual([...folders, 'LICENSE', 'README.md', 'cjs/package.json', 'package.json'].sort())
  })

  test('the command lists its commands', async () => {
    const { stdout } = await run(['--help'])
    expect(stdout).toMatch(/^Usage: hypocaust/)
    for (const name of ['serve', 'demo', 'gateway', 'matter', 'doctor']) expect(stdout).toContain(`\n  ${name}`)
    expect((await run(['gateway', 'run', '--help'])).stdout).toContain('--config')
  })

  test('the gateway agent has its profiles', async () => {
    const message = ['zigbee2mqtt/0x00158d0001a2b3c4', '{"temperature":22.41,"last_seen":"2026-01-10T08:00:00Z"}']
    const { stdout } = await run(['gateway', 'read', '--json', ...message])
    expect(JSON.parse(stdout)).toMatchObject({ readings: [{ temperature: 22.41 }] })
  })

  test('the bundle is ASCII, so that Node keeps it at one byte a character', () => {
    const files = readdirSync(join(bundledPackage(), 'dist/js')).map((name) => join(bundledPackage(), 'dist/js', name))
    expect(files.filter((file) => readFileSync(file).some((byte) => byte > 127))).toEqual([])
  })

  test('the package names no address that exists nowhere', async () => {
    expect(await placeholdersIn(bundledPackage())).toEqual([])
  })

  test('the package holds no tests, maps and sources', () => {
    const files = readdirSync(bundledPackage(), { recursive: true, encoding: 'utf8' })
    expect(files).toContain('dist/js/hypocaust.js')
    expect(files.filter((name) => /\.(map|tsx?)$|\btests?\//.test(name))).toEqual([])
  })

  test('the command carries the licences of the packages in its bundle and in its website', () => {
    const notices = readFileSync(join(home, 'node_modules/hypocaust/THIRD-PARTY-NOTICES.txt'), 'utf8')
    const ofWebsite = ['react', 'uplot', '@tanstack/react-query', 'tailwindcss']
    for (const name of ['fastify', 'better-auth', '@matter/main', 'mqtt', ...ofWebsite])
      expect(notices).toContain(`\n${name} `)
  })
})

/** As it was installed; without a Node of the machine, as it was bundled. */
describe('the demo', () => {
  const demo = (...flags: string[]) => {
    const args = ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error', ...flags]
    return plainNode ? start(home, args, PLAIN_ENV, [command]) : start(home, args)
  }
  let first: Running
  beforeAll(async () => {
    first = await demo()
  }, PATIENCE_MS)
  afterAll(() => first?.end('SIGTERM'))

  test('the demo furnishes a house and tells how to get in', async () => {
    const [readKey, writeKey] = first.stdout.match(/hyp_\w{38}/g) ?? []
    expect(first.stdout).toMatch(/Account .*@.* password /)
    const [, curlKey, curlUrl] = /curl -s -H 'x-api-key: (\S+)' (\S+)/.exec(first.stdout) ?? []
    expect(curlKey).toBe(readKey)

    const rooms = await (await fetch(curlUrl ?? '', { headers: { 'x-api-key': curlKey ?? '' } })).json()
    expect(rooms).toHaveLength(6)
    for (const room of rooms as Room[]) expect(room.current_temperature).toBeTypeOf('number')
    const permissions = await Promise.all(
      [readKey, writeKey].map(async (key) => {
        const answer = await fetch(`${first.url}/v1/key`, { headers: { 'x-api-key': key ?? '' } })
        return ((await answer.json()) as { permission: string }).permission
      }),
    )
    expect(permissions).toEqual(['read', 'write'])
  })

  test('serves its website, and the first example of the client’s README reads its rooms', async () => {
    expect(await (await fetch(first.url)).text()).toContain('<title>Hypocaust</title>')
    expect(await (await fetch(`${first.url}/health/ready`)).json()).toMatchObject({ status: 'ok' })
    if (!plainNode) return
    const [key = ''] = first.stdout.match(/hyp_\w{38}/) ?? []
    const readme = readFileSync(join(home, 'node_modules/@hypocaust/client/README.md'), 'utf8')
    const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
    writeFileSync(join(home, 'example.mjs'), example.replace('http://127.0.0.1:8080', first.url).replace('hyp_…', key))
    const { stdout } = await runIn(home, plainNode, ['example.mjs'])
    expect(stdout.trim().split('\n')).toHaveLength(6)
    expect(stdout).toMatch(/Bathroom \d+(\.\d+)? → \d+/)
  })

  describeInBrowser('its website', () => {
    test(
      'the printed account opens the printed address: rooms alive, charts filled',
      async () => {
        const [, address = ''] = /Website\s+(\S+)/.exec(first.stdout) ?? []
        const [, email = '', password = ''] = /Account\s+(\S+)\s+password\s+(\S+)/.exec(first.stdout) ?? []
        const page = await (await sharedBrowser()).newPage({ locale: 'en-GB' })
        page.setDefaultTimeout(PATIENCE_MS)
        await page.goto(address)
        await signIn(page, email, password)

        const building = await theBuilding(page, address)
        expect(building.rooms).toHaveLength(6)
        for (const { name } of building.rooms) {
          await page
            .getByRole('article', { name })
            .getByText(/^\d+\.\d°$/)
            .first()
            .waitFor()
        }
        await page.getByText(/Everything is fine\.|needs? attention\./).waitFor()

        const bathroom = page.getByRole('article', { name: 'Bathroom' })
        await pressed(bathroom.getByRole('button', { name: 'Raise Bathroom by half a degree' }), 6)
        await bathroom.getByText('25.5°', { exact: true }).waitFor()
        await bathroom.getByText(/^Heat [1-9]\d*/).waitFor()
        await bathroom.getByText('sending').waitFor({ state: 'hidden' })

        await bathroom.getByRole('link', { name: 'Bathroom' }).click()
        await page.locator('.uplot canvas').waitFor()
        await page.getByText('Why is it heating?').waitFor()
        const [room] = building.rooms
        for (const [span, days] of [
          ['Day', 1],
          ['Week', 7],
          ['Month', 14],
        ] as const) {
          await page.getByRole('radio', { name: span }).click()
          await page.locator('.uplot canvas').waitFor()
          const { temperature, power, outdoor, target } = await historyOf(page, address, room?.id ?? '', days)
          for (const column of [temperature, power, outdoor, target]) expect(filledShare(column)).toBeGreaterThan(0.95)
        }
        await page.close()
      },
      PATIENCE_MS,
    )
  })

  test('the demo furnishes its house once', async () => {
    expect(await first.end('SIGTERM')).toBe(0)
    const second = await demo()
    expect(second.stdout.replaceAll(second.url, '')).toBe(first.stdout.replaceAll(first.url, ''))
    expect(await second.end('SIGTERM')).toBe(0)
  }, 300_000)

  test('on a bad day a client that follows the house sees a sensor lost, the building silent, and both come back', async () => {
    const running = await demo('--faults', 'sensor,silence', '--speed', '600')
    const [readKey = ''] = running.stdout.match(/hyp_\w{38}/) ?? []
    const [, buildingId = ''] = /buildings\/([\w-]+)/.exec(running.stdout) ?? []
    const client = new HypocaustClient({ baseUrl: running.url, apiKey: readKey })
    const seen = new Set<string>()
    for await (const { building, rooms } of client.watch(buildingId)) {
      if (building.available === false) seen.add('silence')
      else if (rooms.some(({ current_temperature }) => current_temperature === null)) seen.add('sensor')
      else if (seen.size === 2) break
    }
    expect(running.stdout).toContain('Injecting faults: sensor, silence (seed 1).')
    expect(await running.end('SIGTERM')).toBe(0)
  }, 300_000)

  test('a service that is none of a demo has no bad days to offer', async () => {
    const { code, stderr } = await hypocaust(home, ['serve', '--faults'])
    expect([code, stderr]).toEqual([2, "hypocaust: unknown option '--faults'\n"])
  })
})

// The last one here: it removes the Node of the release.
test.skipIf(!plainNode || isNewEnough)(
  'without a Node that is new enough the command names the one it needs',
  async () => {
    rmSync(join(home, 'node_modules', NODE_PACKAGE))
    const failure = await run(['--help']).catch((error) => error)
    expect(failure.code).toBe(1)
    expect(failure.stderr).toMatch(/^hypocaust: Node 26 or newer is needed, and this is v\d+/)
  },
)

test('the Home Assistant zip holds the integration, as it is unpacked beside the configuration', () => {
  mkdirSync(join(folder.path, 'zip'))
  const files = unzipSync(readFileSync(join(folder.path, 'zip', zipIntegration(join(folder.path, 'zip')))))
  const manifest = files['custom_components/hypocaust/manifest.json']
  expect(JSON.parse(new TextDecoder().decode(manifest))).toMatchObject({ domain: 'hypocaust', version: '0.1.0' })
  expect(Object.keys(files)).toContain('custom_components/hypocaust/translations/de.json')
  expect(Object.keys(files).filter((name) => /test|pyc/.test(name))).toEqual([])
})

async function theBuilding(page: Page, address: string): Promise<AppBuilding> {
  const answer = await page.request.get(`${address}/app/buildings`)
  const [building] = (await answer.json()) as [AppBuilding]
  return building
}

/** Up to an hour ago: the step under way may have nothing yet. */
async function historyOf(page: Page, address: string, roomId: string, days: number): Promise<RoomHistory> {
  const toS = Math.floor(Date.now() / 1000) - 3600
  const span = `from=${toS - days * DAY_S + 7200}&to=${toS}`
  return (await page.request.get(`${address}/app/rooms/${roomId}/history?${span}`)).json() as Promise<RoomHistory>
}

const filledShare = (column: (number | null)[]): number =>
  column.filter((value) => value !== null).length / column.length
