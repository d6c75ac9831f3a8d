import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { openWorld } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'

const fixture = (name: string) => join(import.meta.dirname, '../../testing/src/fixtures', name)

describe('stopping', () => {
  test('answers what is under way, also a request that follows on the same connection', async () => {
    const world = await openWorld('sqlite')
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = world.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk
    })
    const head = `x-api-key: ${world.holder.writeKey}\r\nhost: x\r\n`
    const arrived = new Promise((resolve) => world.app.server.once('request', resolve))
    socket.write(
      `PATCH ${world.bathroomPath} HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 12\r\n\r\n`,
    )
    await arrived
    const ended = once(socket, 'close')
    const closed = world.app.close()
    socket.write(`{"name":"X"}GET ${world.bathroomPath} HTTP/1.1\r\n${head}\r\n`)
    await closed
    await ended
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(received).toContain('"name":"X"')
    await world.test.close()
  })
})

describe('the whole service', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  const settings = (flags: Record<string, unknown>) =>
    readSettings(
      { data: join(folder.path, 'data'), port: 0, mqtt_port: 0, log_level: 'silent', ...flags },
      {},
      join(folder.path, 'none.yaml'),
    )

  let taken: { port: number; close(): void }
  beforeAll(async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    taken = { port: (server.address() as AddressInfo).port, close: () => server.close() }
  })
  afterAll(() => taken.close())

  test('serves over TLS with the certificate given', async () => {
    const tls = { tls_cert: fixture('self-signed-cert.pem'), tls_key: fixture('self-signed-key.pem') }
    const service = await startService(settings(tls))
    expect(service.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const asking = request(`${service.url}/v1/buildings`, { ca: readFileSync(tls.tls_cert), servername: 'localhost' })
    asking.end()
    const [response] = await once(asking, 'response')
    response.resume()
    expect(response.statusCode).toBe(401)
    await service.stop()
  })

  test('needs both the certificate and its key', async () => {
    await expect(startService(settings({ tls_cert: fixture('self-signed-cert.pem') }))).rejects.toThrow(
      /--tls-key FILE/,
    )
  })

  test('names a certificate file that cannot be read', async () => {
    const tls = { tls_cert: join(folder.path, 'no.pem'), tls_key: fixture('self-signed-key.pem') }
    await expect(startService(settings(tls))).rejects.toThrow(/--tls-cert: cannot read .*no\.pem/)
  })

  test('names a certificate file that is none', async () => {
    const file = join(folder.path, 'nonsense.pem')
    writeFileSync(file, 'nonsense')
    const work = startService(settings({ tls_cert: file, tls_key: file }))
    await expect(work).rejects.toThrow(/--tls-cert.*nonsense\.pem/)
  })

  test('a port in use is reported with the flag that helps, and the store is released', async () => {
    await expect(startService(settings({ port: taken.port }))).rejects.toThrow(
      `port ${taken.port} on 127.0.0.1 is taken by another program. Stop it, or choose another port with --port.`,
    )
    const service = await startService(settings({}))
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
    await service.stop()
  })

  test('an address this machine does not have is reported with the flag that helps', async () => {
    await expect(startService(settings({ host: '192.0.2.1' }))).rejects.toThrow(/no address 192\.0\.2\.1.*--host/)
  })
})
