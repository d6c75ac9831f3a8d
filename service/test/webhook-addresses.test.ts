import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { webhookNetwork } from '../src/people/webhooks/network.ts'

describe('the addresses of webhooks', () => {
  const guarded = webhookNetwork({ privateAddresses: false })
  const open = webhookNetwork({ privateAddresses: true })

  test.each([
    'https://receiver.example/heating',
    'https://receiver.example:8443/heating?house=1',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
  ])('%s is allowed', (url) => expect(guarded.accepts(url)).toBe(true))

  test.each([
    'http://receiver.example/',
    'https://localhost/',
    'https://nas/',
    'https://nas.local/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://192.168.1.2/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://user:secret@receiver.example/',
    'ftp://receiver.example/',
    'nonsense',
  ])('%s is not', async (url) => {
    expect(guarded.accepts(url)).toBe(false)
    expect(await guarded.post(url, {}, '{}')).toBe('address_not_allowed')
  })

  test('a receiver that answers with another protocol has not answered', async () => {
    const server = createServer()
    server.on('request', (_request, response) =>
      response.writeHead(101, { connection: 'upgrade', upgrade: 'another' }).end(),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    expect(await open.post(`http://127.0.0.1:${port}/`, {}, '{}')).toBe('unreachable')
    server.closeAllConnections()
    server.close()
  })

  test('the operator may allow those of the house', () => {
    expect(open.accepts('http://192.168.1.2:8123/api/webhook/x')).toBe(true)
    expect(open.accepts('http://nas/')).toBe(true)
    expect(open.accepts('http://user:secret@nas/')).toBe(false)
  })
})
