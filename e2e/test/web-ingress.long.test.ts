import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, describeInBrowser, EMAIL, HOUSE, PASSWORD, pressed, Site, WITH_SERVICE_WORKER } from './site.ts'

const PREFIX = '/api/hassio_ingress/x7Yq2LkP0aZr'
// Without an icon of its own, a browser with windows would ask the host for one.
const HOST_PAGE = `<!doctype html><title>Home Assistant</title><link rel="icon" href="data:,"><iframe src="${PREFIX}/" width="1200" height="800"></iframe>`

/** What Home Assistant and its Supervisor do: they show the site in a frame, take the prefix off, and name it. */
function startIngress(port: number, strayed: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(HOST_PAGE)
    if (!url.startsWith(`${PREFIX}/`)) {
      strayed.push(url)
      return void response.writeHead(404).end()
    }
    const forwarded = {
      'x-ingress-path': PREFIX,
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-host': headers.host ?? '',
      'x-forwarded-proto': 'http',
    }
    const onward = ask(
      { port, method, path: url.slice(PREFIX.length), headers: { ...headers, ...forwarded } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    response.once('close', () => onward.destroy())
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describeInBrowser('behind the ingress of Home Assistant', () => {
  const site = new Site({}, { HYPOCAUST_TRUSTED_PROXIES: '127.0.0.1' })
  const strayed: string[] = []
  let ingress: Server
  let url: string

  beforeAll(async () => {
    await site.start()
    const { building } = await site.addHouse(await site.addAccount(), HOUSE)
    await bringToLife(site, building.id)
    ingress = await startIngress(site.port, strayed)
    url = `http://localhost:${(ingress.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    ingress.closeAllConnections()
    ingress.close()
    await site.stop()
  })

  const signInWithin = async (place: Page | FrameLocator) => {
    await place.getByLabel('E-mail address').fill(EMAIL)
    await place.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await place.getByRole('button', { name: 'Sign in', exact: true }).click()
    await place.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
  }

  test('the site signs in, shows home and a room, and stays live, within a frame of Home Assistant', async () => {
    const context = await site.newContext('desktop')
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(url)
    const frame = page.frameLocator('iframe')
    await signInWithin(frame)
    await frame.getByRole('article', { name: 'Bathroom' }).getByText('22.0°', { exact: true }).waitFor()
    const elsewhere = await site.openSignedIn('phone')
    await pressed(elsewhere.getByRole('button', { name: 'Raise Bathroom by half a degree' }))
    await frame.getByRole('article', { name: 'Bathroom' }).getByText('22.5°', { exact: true }).waitFor()
    await site.leave(elsewhere)
    await frame.getByRole('article', { name: 'Bathroom' }).getByRole('link').first().click()
    await frame.getByRole('heading', { name: 'Bathroom', level: 1 }).waitFor()
    const within = page.frames().find((each) => each !== page.mainFrame())
    expect(new URL(within?.url() ?? '').pathname).toMatch(new RegExp(`^${PREFIX}/rooms/[\\w-]+$`))
    expect(strayed).toEqual([])
    expect(problems).toEqual([])
    const cookies = await context.cookies()
    expect(cookies.map(({ path }) => path).sort()).toEqual([`${PREFIX}/`, `${PREFIX}/app`])
    await context.close()
  })

  test('a page deep in the site can be loaded; its service worker stays below the prefix; manifest and towns are found', async () => {
    const context = await site.newContext('phone', WITH_SERVICE_WORKER)
    const page = await context.newPage()
    await page.goto(`${url}${PREFIX}/settings/keys`)
    await signInWithin(page)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    const scope = await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')
    expect(scope).toBe(`${url}${PREFIX}/`)
    const manifest = await page.evaluate(`(async () => {
      const { href } = document.querySelector('link[rel=manifest]')
      const { start_url, icons } = await (await fetch(href)).json()
      return [start_url, icons[0].src].map((each) => new URL(each, href).pathname)
    })()`)
    expect(manifest).toEqual([`${PREFIX}/`, `${PREFIX}/icon-192.png`])
    await page.goto(`${url}${PREFIX}/buildings/new`)
    await page.getByRole('textbox', { name: 'Town' }).fill('Oslo')
    await page.getByRole('button', { name: 'Oslo Norway' }).waitFor()
    expect(strayed).toEqual([])
    await context.close()
  })
})
