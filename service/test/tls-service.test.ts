import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initLocalTls, type LocalTls } from '../src/doors/tls/local.ts'
import { thisMachine } from '../src/doors/tls/names.ts'
import { type RunningService, startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'

const folder = temporaryFolder()
const data = join(folder.path, 'data')
const settings = () => readSettings({ data, port: 0, mqtt_port: 0, log_level: 'silent' }, {}, join(folder.path, 'none'))
let local: LocalTls
let service: RunningService
let port: number

beforeAll(async () => {
  local = await initLocalTls(data, { machine: thisMachine(), nowMs: Date.now() })
  service = await startService(settings())
  port = Number(new URL(service.url).port)
})
afterAll(async () => {
  await service.stop()
  folder.remove()
})

interface Answer {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: string
}

async function ask(url: string, { method = 'GET', headers = {} }: { method?: string; headers?: object } = {}) {
  const options = { method, headers: headers as Record<string, string>, agent: false } as const
  const asking = url.startsWith('https')
    ? requestSecure(url, { ...options, ca: local.authority.cert })
    : requestPlain(url, options)
  asking.end()
  const [response] = await once(asking, 'response')
  const { statusCode: status, headers: answered } = response
  return { status, headers: answered, body: await text(response) } as Answer
}

const plain = (path: string, options = {}) => ask(`http://localhost:${port}${path}`, options)

describe('over TLS', () => {
  test('a client that knows the authority reaches the service by name and by address', async () => {
    expect(service.url).toMatch(/^https:/)
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await ask(`https://${host}:${port}/health/live`)).toMatchObject({ status: 200, body: '{"status":"ok"}' })
    }
  })

  test('the broker for gateways shows the same certificate', async () => {
    expect(service.mqtt.tls).toBe(true)
    const socket = connect({ port: service.mqtt.port, host: '127.0.0.1', ca: local.authority.cert })
    await once(socket, 'secureConnect')
    expect(socket.getPeerX509Certificate()?.checkHost('localhost')).toBe('localhost')
    socket.destroy()
  })

  test.each(['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const)(
    'both ports refuse versions of TLS that are no longer safe, and take the others: %s',
    async (version) => {
      for (const to of [port, service.mqtt.port]) {
        const versions = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const
        const socket = connect({ port: to, host: '127.0.0.1', ca: local.authority.cert, ...versions })
        const outcome = await Promise.race([
          once(socket, 'secureConnect').then(() => socket.getProtocol()),
          once(socket, 'error').then(() => 'refused'),
        ]).catch(() => 'refused')
        expect(outcome).toBe(version === 'TLSv1.2' || version === 'TLSv1.3' ? version : 'refused')
        socket.destroy()
      }
    },
  )

  test('a running service reports its authority to the process that started it, without the key', () => {
    expect(service.authority).toEqual(local.authority)
  })
})

describe('over plain HTTP, on the same port', () => {
  test('a phone gets the authority, in the form in which phones take it', async () => {
    const { status, headers, body } = await plain('/authority.crt')
    expect([status, headers['content-type']]).toEqual([200, 'application/x-x509-ca-cert'])
    expect(body).toBe(local.authority.cert)
    expect(await plain('/authority.crt', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  test('and a page that says how, with the fingerprint, in its language, without scripts', async () => {
    const english = await plain('/authority', { headers: { 'accept-language': 'fr, en;q=0.5' } })
    expect(english.body).toContain('<html lang="en">')
    expect(english.body).toContain(local.authority.fingerprint.replaceAll(':', ' '))
    expect(english.body).toContain(`https://localhost:${port}`)
    expect(english.body).not.toMatch(/<script|\son[a-z]+=|style="/)
    expect(english.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base/)
    expect((await plain('/', { headers: { 'accept-language': 'de-AT,de;q=0.9' } })).body).toContain('<html lang="de">')
    expect((await plain('/authority?lang=de')).body).toContain('<html lang="de">')
  })

  test('the steps for the device that asks are open', async () => {
    const { body } = await plain('/authority', { headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 16)' } })
    expect(body.match(/<details open><summary>[^<]+/g)).toEqual(['<details open><summary>Android'])
  })

  test('a page opened by an old bookmark goes on to HTTPS', async () => {
    const { status, headers } = await plain('/settings?a=1', { headers: { accept: 'text/html' } })
    expect([status, headers.location]).toEqual([307, `https://localhost:${port}/settings?a=1`])
  })

  test('nobody is sent to a host that the certificate does not name', async () => {
    const headers = { accept: 'text/html', host: 'evil.example"><script>' }
    const { headers: answered } = await plain('/settings', { headers })
    expect(answered.location).toBe(`https://${local.names[0]}:${port}/settings`)
    expect((await plain('/authority', { headers })).body).not.toContain('evil')
  })

  test.each([
    ['GET', '/v1/buildings'],
    ['GET', '/app/session'],
    ['POST', '/app/session'],
    ['POST', '/authority'],
    ['GET', '/health/live'],
    ['GET', '/metrics'],
    ['GET', '/docs/'],
    ['GET', '/openapi.json'],
    ['GET', '/authority-key.pem'],
    ['GET', '/authority.crt/../authority-key.pem'],
    ['GET', '//etc/passwd'],
  ])('nothing else is answered: %s %s', async (method, path) => {
    const { status, headers, body } = await plain(path, { method })
    expect(status).toBe(400)
    expect(headers['set-cookie']).toBeUndefined()
    expect(JSON.parse(body).error).toMatchObject({ code: 'https_needed' })
  })

  test('no answer holds anything of a private key', async () => {
    const secret = readFileSync(join(data, 'tls/authority-key.pem'), 'utf8').split('\n')[1] ?? ''
    for (const path of ['/', '/authority', '/authority.crt', '/tls/authority-key.pem']) {
      expect((await plain(path)).body).not.toContain(secret)
    }
  })

  test('what is neither HTTP nor TLS is sent away', async () => {
    const socket = connectPlain(port, '127.0.0.1')
    socket.end('\x00nonsense\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400/)
  })

  test('a connection that says nothing does not keep the service from stopping', async () => {
    const home = join(data, 'other')
    cpSync(join(data, 'tls'), join(home, 'tls'), { recursive: true })
    const other = await startService({ ...settings(), data: home })
    const socket = connectPlain(Number(new URL(other.url).port), '127.0.0.1')
    await once(socket, 'connect')
    await ask(`https://localhost:${new URL(other.url).port}/health/live`)
    const closed = once(socket, 'close')
    await other.stop()
    await closed
  })
})
