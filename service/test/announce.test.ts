import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { DnsRecordType } from '@matter/main'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { Announcement } from '../src/doors/announce.ts'
import { startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'
import { MdnsListener, TYPE } from './mdns-listener.ts'

const run = promisify(execFile)
const INSTALLATION = '1f0b5c52-7a3e-4f0e-9f43-6f2f0a6f6a51'

let listener: MdnsListener
beforeEach(async () => {
  listener = await MdnsListener.join()
})
afterEach(() => listener.leave())

test('a query on the network returns the port, the version, the installation and whether it is HTTPS, until the service withdraws', async () => {
  const name = `Hypocaust test ${process.pid}`
  const full = `${name}.${TYPE}`
  const announcement = new Announcement({
    address: '127.0.0.1',
    port: 8443,
    isTls: true,
    version: '1.2.3',
    installation: INSTALLATION,
    logger: createLogger('silent'),
    name,
  })
  announcement.start()
  await eventually(() => listener.find(full, DnsRecordType.SRV))
  listener.heard.length = 0
  const asking = setInterval(() => listener.ask(), 1000)
  listener.ask()
  await eventually(() => listener.heard.some(({ value }) => value === full))
  clearInterval(asking)
  expect((await eventually(() => listener.find(full, DnsRecordType.SRV))).value).toMatchObject({ port: 8443 })
  const texts = (await eventually(() => listener.find(full, DnsRecordType.TXT))).value as Uint8Array[]
  expect(texts.map((text) => Buffer.from(text).toString())).toEqual([
    'version=1.2.3',
    'path=/v1',
    'tls=1',
    `id=${INSTALLATION}`,
  ])
  listener.heard.length = 0
  await announcement.stop()
  await eventually(() => listener.heard.some(({ value, ttl }) => value === full && ttl === 0))
})

test('a service that only its own machine can reach is not announced, and says why', async () => {
  const folder = temporaryFolder()
  const settings = readSettings(
    { data: folder.path, port: 0, mqtt_port: 0, log_level: 'silent', announce: true },
    {},
    '/none/hypocaust.yaml',
  )
  await expect(startService(settings)).rejects.toThrow('Listen on all addresses with --host 0.0.0.0')
  folder.remove()
})

/** Linux lets a user have a network of one's own; elsewhere the tests in one are left out, and say so. */
function withoutNamespaces(): boolean {
  if (spawnSync('unshare', ['-rn', 'ip', 'link']).status === 0) return false
  console.warn('SKIPPED: no network namespaces here, so announcing on other interfaces was not tested')
  return true
}

describe.skipIf(withoutNamespaces())('in a network of its own', () => {
  const within = async (prepare: string, ...args: string[]) => {
    const script = join(import.meta.dirname, 'announce-in-namespace.ts')
    const command = `${prepare}; exec "$0" "$@"`
    const { stdout } = await run('unshare', ['-rn', 'sh', '-c', command, process.execPath, script, ...args])
    return JSON.parse(stdout) as { heard?: string[]; log: { level: string; msg: string; addresses?: string[] }[] }
  }
  // A pair of interfaces, which the tool that lists them calls hyp0@hyp1 and hyp1@hyp0, as in a container.
  const PAIR = [
    'ip link set lo up',
    'ip link add hyp0 type veth peer name hyp1',
    'ip addr add 10.9.0.1/24 dev hyp0',
    'ip link set hyp0 up',
    'ip link set hyp1 up',
  ].join(';')

  test('a service in a container is announced on its interface', async () => {
    const { heard, log } = await within(PAIR, '0.0.0.0', '10.9.0.1')
    expect(heard).toContain('10.9.0.1')
    expect(log).toMatchObject([{ msg: 'announced on the network', addresses: ['10.9.0.1'] }])
  })

  test('without a network it does not claim to be announced', async () => {
    const { log } = await within('ip link set lo up', '0.0.0.0')
    expect(log).toMatchObject([{ msg: expect.stringContaining('not announced') }])
  })
})
