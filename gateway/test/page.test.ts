import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { html } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { describeOnBroker } from '@hypocaust/testing/on-broker.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runWithPage } from '../src/cli/run-with-page.ts'
import { loadGatewayConfig } from '../src/index.ts'
import { languageOf } from '../src/page/words.ts'

const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
const SERVICE = `{ url: "$BROKER", gateway_id: ${ID}, token: hypg_secret }`
const FILE = `devices: { url: "$BROKER" }
page: { listen: "127.0.0.1:0" }
sensors:
  collect_s: 0
  mqtt: [{ sensor: "<b> & co", topic: t/bath, temperature: . }]
channels:
  - { channel: 1, name: bath, driver: mqtt, set: { topic: dev/1/set, on: "ON", off: "OFF" }, state: { topic: dev/1, on: "ON", off: "OFF" } }
`

test('the language is the first of those the browser prefers', () => {
  expect(['de-AT,en;q=0.8', 'en-GB;q=0.5, de;q=0.9', 'fr, de;q=0', 'fr,de', '', undefined].map(languageOf)).toEqual([
    ...['de', 'de', 'en', 'de', 'en', 'en'],
  ])
})

test('whatever is shown cannot become a tag or end an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { text: written } = html`<p title="${text}">${text}</p>`
      expect(written.split(/[<>]/)).toHaveLength(5)
      expect(written.split('"')).toHaveLength(3)
    }),
    { numRuns: runs(1000) },
  )
})

describeOnBroker('the page of the agent', (at) => {
  let folder: string
  let url: string
  let stop: AbortController
  let running: Promise<void>
  const lines: string[] = []
  const start = async (text: string, prepare = (_folder: string) => {}) => {
    folder = mkdtempSync(join(tmpdir(), 'page-'))
    prepare(folder)
    const config = join(folder, 'gateway.yaml')
    writeFileSync(config, text.replaceAll('$BROKER', at.brokerUrl))
    stop = new AbortController()
    lines.length = 0
    const settings = loadGatewayConfig(config)
    if (!settings.page) throw new Error('no page')
    running = runWithPage({
      config,
      page: settings.page,
      settings,
      log: (line) => lines.push(line),
      signal: stop.signal,
      onReady: () => {},
    })
    const said = await eventually(() => /the local page (?:is at (\S+);|cannot)/.exec(lines.join('\n')) ?? undefined)
    url = said[1] ?? ''
  }
  afterEach(async () => {
    stop.abort()
    await running
    rmSync(folder, { recursive: true })
  })

  const token = () => readFileSync(join(folder, 'data/page-token'), 'utf8').trim()
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })
  const signIn = async () => {
    const { status, headers } = await post('/sign-in', { token: token() })
    expect([status, headers.get('location')]).toEqual([303, '/'])
    return headers.get('set-cookie') ?? ''
  }
  const page = async (cookie: string, headers: Record<string, string> = {}, path = '/') =>
    (await fetch(`${url}${path}`, { headers: { cookie: cookie.split(';')[0] ?? '', ...headers } })).text()
  const csrfIn = (text: string) => /name="csrf" value="(\w+)"/.exec(text)?.[1] ?? ''

  describe('that is paired', () => {
    beforeEach(() => start(`service: ${SERVICE}\n${FILE}`))

    test('shows sensors, outputs, links and log, in the language of the browser, without a script', async () => {
      await at.party.on(`hypocaust/v1/${ID}/up/heartbeat`)
      const cookie = await signIn()
      const shown = await eventually(async () => {
        // What is said before the agent listens is lost.
        at.party.say('dev/1', 'OFF')
        at.party.say('t/bath', '21.46')
        const text = await page(cookie)
        return text.includes('21.5') && text
      })
      expect(shown).toContain('&lt;b&gt; &amp; co')
      expect(shown).toMatch(/>1 \(bath\)<\/th><td>0 %<\/td>\s*<td>closed/)
      expect(shown).toContain('the device broker is connected')
      expect(shown).not.toMatch(/<script|\son\w+=|style=/)
      const german = await page(cookie, { 'accept-language': 'de' })
      expect(german).toContain('<html lang="de">')
      expect(german).toContain('21,5 °C')
      expect(german).toMatch(/Dienst<\/dt><dd>verbunden/)
    })

    test('opens a loop for the person at the manifold', async () => {
      const cookie = await signIn()
      const shown = await eventually(async () => {
        const text = await page(cookie)
        return text.includes('action="/test"') && text
      })
      const { status } = await post('/test', { channel: '1', csrf: csrfIn(shown) }, { cookie })
      expect(status).toBe(303)
      await at.party.on('dev/1/set', (text) => text === 'ON')
      expect(await page(cookie)).toContain('A test is running.')
    })

    test('shows nothing and does nothing without its token', async () => {
      const { status, headers } = await fetch(url)
      expect(status).toBe(401)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await page('')).not.toContain('(bath)')
      expect((await post('/sign-in', { token: 'wrong' })).status).toBe(401)
      expect((await post('/test', { channel: '1' })).status).toBe(401)
      const cookie = await signIn()
      expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
      expect(cookie).not.toContain(token())
      expect(statSync(join(folder, 'data/page-token')).mode & 0o777).toBe(0o600)
    })

    test('a request that is broken off writes nothing into the log', async () => {
      const { hostname, port } = new URL(url)
      const before = lines.length
      for (let i = 0; i < 3; i++) {
        const socket = connect(Number(port), hostname)
        socket.write('POST /sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\ntoken=')
        await new Promise((resolve) => setTimeout(resolve, 50))
        socket.destroy()
        await fetch(url)
      }
      expect(lines.slice(before).filter((line) => line.includes('local page'))).toEqual([])
    })

    test('a form that another page has made changes nothing', async () => {
      const cookie = await signIn()
      const answers = [
        await post('/test', { channel: '1' }, { cookie }),
        await post('/pair', { csrf: 'made-up', service: url, code: 'AAAA-BBBB' }, { cookie }),
        await post('/test', { csrf: 'x'.repeat(10_000), channel: '1' }, { cookie }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    })
  })

  test('an agent that is not paired is paired there, and runs from then on', async () => {
    await start(FILE)
    const service = createServer((_, response) => {
      const port = Number(new URL(at.brokerUrl).port)
      const paired = { gateway_id: ID, token: 'hypg_secret', gateway: 'cellar', building: 'Lakeside 12' }
      response.end(JSON.stringify({ ...paired, mqtt: { host: '127.0.0.1', port, tls: false } }))
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const cookie = await signIn()
    expect(await page(cookie)).toContain('The agent is not paired yet.')
    const csrf = csrfIn(await page(cookie, {}, '/pair'))
    const refused = await post('/pair', { csrf, service: 'nonsense', code: 'A' }, { cookie })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('is no address of a service')])
    const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    const answer = await post('/pair', { csrf, service: address, code: 'ABCD-EFGH' }, { cookie })
    expect(await answer.text()).toContain('Paired with cellar in Lakeside 12.')
    await eventually(async () => /Service<\/dt><dd>connected/.test(await page(cookie)))
    await new Promise((resolve) => service.close(resolve))
  })

  test('a token that cannot be read is no reason not to heat', async () => {
    at.party.heard.length = 0
    await start(`service: ${SERVICE}\n${FILE}`, (data) => mkdirSync(join(data, 'data/page-token'), { recursive: true }))
    await at.party.on(`hypocaust/v1/${ID}/up/heartbeat`)
    expect(lines.join('\n')).toContain('the local page cannot be opened: EISDIR')
  })

  test('a port that is taken is no reason not to heat', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    at.party.heard.length = 0
    const text = `service: ${SERVICE}\n${FILE}`.replace('127.0.0.1:0', `127.0.0.1:${port}`)
    await start(text)
    await at.party.on(`hypocaust/v1/${ID}/up/heartbeat`)
    expect(lines.join('\n')).toContain('EADDRINUSE')
    await new Promise((resolve) => taken.close(resolve))
  })
})
