import type { AppBuilding, Room, RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import { hypocaust, type Running, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HypocaustClient } from '../../client/src/client.ts'
import { describeInBrowser, leaveShared, sharedBrowser, signIn } from './site.ts'

/** A simulated fortnight takes seconds on a quiet machine, so all tests are about the same demo. */
const PATIENCE_MS = 600_000

const folder = temporaryFolder()
const demo = (...flags: string[]) =>
  start(folder.path, ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error', ...flags])

let first: Running
beforeAll(async () => {
  first = await demo()
}, PATIENCE_MS)
afterAll(async () => {
  await first?.end('SIGTERM')
  folder.remove()
})

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

describeInBrowser('its website', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedBrowser()
  })
  afterAll(() => leaveShared(browser))

  test('the printed account opens the printed address: rooms alive, charts filled', async () => {
    const [, address = ''] = /Website\s+(\S+)/.exec(first.stdout) ?? []
    const [, email = '', password = ''] = /Account\s+(\S+)\s+password\s+(\S+)/.exec(first.stdout) ?? []
    const page = await browser.newPage({ locale: 'en-GB' })
    page.setDefaultTimeout(60_000)
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
    await bathroom.getByRole('button', { name: 'Raise Bathroom by half a degree' }).click({ clickCount: 6 })
    await bathroom.getByText('25.5°', { exact: true }).waitFor()
    await bathroom.getByText(/heating \d+/).waitFor()
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
  }, 120_000)
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
  const { code, stderr } = await hypocaust(folder.path, ['serve', '--faults'])
  expect([code, stderr]).toEqual([2, "hypocaust: unknown option '--faults'\n"])
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
