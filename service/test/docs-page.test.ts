import type { AddressInfo } from 'node:net'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram, HEADLESS_CHROMIUM } from '../../scripts/programs.ts'

const executablePath = findProgram(HEADLESS_CHROMIUM)

// Skipped visibly without a browser; where nothing may be missing it fails instead.
describe.skipIf(executablePath === undefined && process.env.CI !== 'true')('the reference page in a browser', () => {
  let world: World
  let browser: Browser
  let address: string
  beforeAll(async () => {
    if (executablePath === undefined) throw new Error('there is no Chromium in PATH')
    world = await openWorld('sqlite')
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    address = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  test('shows the interface, asks no other host for anything, and has nothing to complain of', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(120_000)
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).host))
    page.on('console', (message) => {
      // A browser asks for a site's icon by itself; this page has none.
      const isIcon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isIcon) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    const response = await page.goto(`${address}/docs/`)
    expect(response?.headers()['content-security-policy']).toContain("script-src 'self';")
    await page.getByRole('heading', { name: 'Hypocaust' }).waitFor()
    await page.getByText('Rooms', { exact: true }).first().click()
    await page.getByText('Change settings of a room').first().waitFor()
    expect(await page.title()).toBe('Hypocaust API')
    expect(new Set(asked.filter((host) => host !== ''))).toEqual(new Set([new URL(address).host]))
    expect(complaints).toEqual([])
  })
})
