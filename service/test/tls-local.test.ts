import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { DAY_MS } from '@hypocaust/domain/facts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeServerCertificate } from '../src/doors/tls/certificates.ts'
import { LocalCertificate } from '../src/doors/tls/choose.ts'
import { authorityFingerprint, hasLocalTls, initLocalTls, openLocalTls } from '../src/doors/tls/local.ts'
import type { Machine } from '../src/doors/tls/names.ts'

const NOW_MS = Date.parse('2026-11-15T06:00:00Z')
const PI: Machine = {
  hostname: 'Pi.fritz.box',
  addresses: ['127.0.0.1', '::1', '192.168.1.5', 'fd12::5', 'fe80::1', '203.0.113.7', '2001:db8::7'],
}
const at = (days: number, machine = PI) => ({ machine, nowMs: NOW_MS + days * DAY_MS })

let folder: ReturnType<typeof temporaryFolder>
let data: string
const file = (name: string) => join(data, 'tls', name)

beforeEach(() => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
})
afterEach(() => folder.remove())

describe('the authority', () => {
  test('may sign servers and nothing else, for ten years, with P-256', async () => {
    const { authority, isNew } = await initLocalTls(data, at(0))
    const certificate = new X509Certificate(authority.cert)
    expect(isNew).toBe(true)
    expect(certificate.ca).toBe(true)
    expect(certificate.subject).toContain('CN=Hypocaust on Pi.fritz.box')
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(authority.endsMs - NOW_MS).toBe(3649 * DAY_MS)
    expect(authorityFingerprint(data)).toBe(certificate.fingerprint256)
  })

  test('its key is readable by its owner alone, and is never sent', async () => {
    const local = await initLocalTls(data, at(0))
    const modes = Object.fromEntries(readdirSync(join(data, 'tls')).map((n) => [n, statSync(file(n)).mode & 0o777]))
    expect(modes).toEqual({
      'authority.pem': 0o644,
      'authority-key.pem': 0o600,
      'server.pem': 0o600,
      'names.json': 0o600,
    })
    expect(statSync(join(data, 'tls')).mode & 0o777).toBe(0o700)
    const [, secret = ''] = readFileSync(file('authority-key.pem'), 'utf8').split('\n')
    expect(secret.length).toBeGreaterThan(30)
    expect(JSON.stringify(local)).not.toContain(secret)
  })

  test('is kept when asked for again, and the server’s certificate made anew', async () => {
    const first = await initLocalTls(data, at(0))
    const second = await initLocalTls(data, at(10))
    expect(second.isNew).toBe(false)
    expect(second.authority).toEqual(first.authority)
    expect(second.server).not.toEqual(first.server)
    expect(second.endsMs - first.endsMs).toBe(10 * DAY_MS)
  })
})

describe('the server’s certificate', () => {
  test('is for the machine’s names and its addresses at home', async () => {
    const { names } = await initLocalTls(data, at(0), ['heating.example.org'])
    expect(names).toEqual([
      'pi.local',
      'pi.fritz.box',
      'pi',
      'localhost',
      'heating.example.org',
      '127.0.0.1',
      '::1',
      '192.168.1.5',
      'fd12::5',
    ])
  })

  test('is what phones demand: a server’s, by its alternative names, for no more than 398 days', async () => {
    const { server, authority } = await initLocalTls(data, at(0))
    const certificate = new X509Certificate(server.cert)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.ca).toBe(false)
    expect(certificate.checkIssued(new X509Certificate(authority.cert))).toBe(true)
    expect(certificate.checkHost('pi.local')).toBe('pi.local')
    expect(certificate.checkIP('192.168.1.5')).toBe('192.168.1.5')
    const days = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / DAY_MS
    expect(days).toBe(397)
    expect(certificate.validFromDate.getTime()).toBe(NOW_MS - DAY_MS)
  })

  test('names asked for stay until others are asked for', async () => {
    await initLocalTls(data, at(0), ['warm.lan'])
    expect((await initLocalTls(data, at(1))).names).toContain('warm.lan')
    const other = await initLocalTls(data, at(2), ['cosy.lan'])
    expect(other.names).toContain('cosy.lan')
    expect(other.names).not.toContain('warm.lan')
  })

  test('a name of the internet is refused to an authority that was not made for it', async () => {
    await initLocalTls(data, at(0))
    await expect(initLocalTls(data, at(0), ['bank.example'])).rejects.toThrow(/not made for bank\.example/)
    await initLocalTls(join(folder.path, 'other'), at(0), ['heating.example'])
    const other = await initLocalTls(join(folder.path, 'other'), at(1), ['attic.heating.example'])
    expect(other.names).toContain('attic.heating.example')
  })
})

describe('renewal', () => {
  test('leaves a good certificate alone', async () => {
    const first = await initLocalTls(data, at(0))
    expect((await openLocalTls(data, at(365))).server).toEqual(first.server)
  })

  test('comes thirty days before the end', async () => {
    const first = await initLocalTls(data, at(0))
    const second = await openLocalTls(data, at(367))
    expect(second.server).not.toEqual(first.server)
    expect(second.authority).toEqual(first.authority)
    expect((await openLocalTls(data, at(367))).server).toEqual(second.server)
  })

  test('comes when the machine has a new address, and not when it has lost one', async () => {
    const first = await initLocalTls(data, at(0))
    const fewer = { ...PI, addresses: ['127.0.0.1'] }
    expect((await openLocalTls(data, at(1, fewer))).server).toEqual(first.server)
    const moved = { ...PI, addresses: ['127.0.0.1', '10.0.0.9'] }
    expect((await openLocalTls(data, at(1, moved))).names).toContain('10.0.0.9')
  })

  test('comes when the file is gone, when the clock was wrong, and when another authority signed it', async () => {
    const first = await initLocalTls(data, at(0))
    expect((await openLocalTls(data, at(-30))).endsMs).toBe(first.endsMs - 30 * DAY_MS)
    rmSync(file('server.pem'))
    expect((await openLocalTls(data, at(0))).endsMs).toBe(first.endsMs)
    const other = join(folder.path, 'other')
    await initLocalTls(other, at(0))
    const authority = {
      cert: readFileSync(join(other, 'tls/authority.pem'), 'utf8'),
      key: readFileSync(join(other, 'tls/authority-key.pem'), 'utf8'),
    }
    const foreign = await makeServerCertificate(authority, first.names, NOW_MS)
    writeFileSync(file('server.pem'), foreign.key + foreign.cert)
    expect((await openLocalTls(data, at(0))).server).not.toEqual(foreign)
  })

  test('never outlives the authority, and does not start over every time near its end', async () => {
    const { authority } = await initLocalTls(data, at(0))
    const last = await openLocalTls(data, at(3640))
    expect(last.endsMs).toBe(authority.endsMs)
    expect((await openLocalTls(data, at(3645))).server).toEqual(last.server)
  })

  test('a running service learns of it once, whichever process renewed', async () => {
    await initLocalTls(data, at(0))
    let days = 0
    const clock = { now: () => NOW_MS + days * DAY_MS, elapsedMs: () => days * DAY_MS }
    const [one, other] = [
      await LocalCertificate.open(data, clock, () => PI),
      await LocalCertificate.open(data, clock, () => PI),
    ]
    expect(await one.refresh()).toBeUndefined()
    days = 380
    const renewed = await one.refresh()
    expect(renewed).toEqual(one.now.server)
    expect(await other.refresh()).toEqual(renewed)
    expect(await one.refresh()).toBeUndefined()
  })
})

describe('a broken folder', () => {
  test('is reported with what to do', async () => {
    expect(hasLocalTls(data)).toBe(false)
    await initLocalTls(data, at(0))
    writeFileSync(file('names.json'), '{}')
    await expect(openLocalTls(data, at(0))).rejects.toThrow(/names\.json.*hypocaust tls init/)
    writeFileSync(file('authority.pem'), 'nonsense')
    await expect(openLocalTls(data, at(0))).rejects.toThrow(/authority\.pem.*hypocaust tls init/)
    expect(existsSync(file('authority-key.pem'))).toBe(true)
  })
})

describe('a client that knows only the authority', () => {
  /** By the system's clock, as any client goes. */
  const now = { machine: PI, nowMs: Date.now() }

  async function handshake(pair: { cert: string; key: string }, ca: string, servername: string): Promise<string> {
    // The client may be gone before the server has said goodbye.
    const server = createServer(pair, (socket) => socket.on('error', () => {}).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ca, servername })
    try {
      await once(socket, 'secureConnect')
      return 'trusted'
    } catch (error) {
      return (error as Error).message
    } finally {
      socket.destroy()
      server.close()
    }
  }

  test('trusts the certificate by name and by address', async () => {
    const { server, authority } = await initLocalTls(data, now)
    expect(await handshake(server, authority.cert, 'pi.local')).toBe('trusted')
    expect(await handshake(server, authority.cert, 'localhost')).toBe('trusted')
    expect(await handshake(server, authority.cert, '')).toBe('trusted')
  })

  test('does not trust it under another name, nor one that a thief of the key made for a bank', async () => {
    const { server, authority } = await initLocalTls(data, now)
    expect(await handshake(server, authority.cert, 'bank.example')).toMatch(/does not match certificate/)
    const key = readFileSync(file('authority-key.pem'), 'utf8')
    const stolen = await makeServerCertificate({ cert: authority.cert, key }, ['bank.example'], now.nowMs)
    expect(await handshake(stolen, authority.cert, 'bank.example')).toBe('permitted subtree violation')
    const address = await makeServerCertificate({ cert: authority.cert, key }, ['localhost', '203.0.113.7'], now.nowMs)
    expect(await handshake(address, authority.cert, 'localhost')).toBe('permitted subtree violation')
  })
})
