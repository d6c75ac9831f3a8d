import { once } from 'node:events'
import { type AddressInfo, connect, createServer, Socket } from 'node:net'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { handleInOrder, MOST_PIPELINED } from '../src/doors/http/connections.ts'
import { limitSockets } from '../src/doors/sockets.ts'

const listening = async (world: World): Promise<number> => {
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  return (world.app.server.address() as AddressInfo).port
}

const open = async (port: number, { allowHalfOpen = false } = {}): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const openSockets = (world: World) =>
  new Promise<number>((resolve) => world.app.server.getConnections((_, n) => resolve(n)))

describe('connections', () => {
  let world: World
  let port: number
  beforeAll(async () => {
    world = await openWorld('sqlite', { requestTimeoutMs: 10 * MINUTE_MS })
    port = await listening(world)
  })
  afterAll(() => world.close())

  test('a refused connection is released, also when its peer never closes it', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port, { allowHalfOpen: true })))
    const answers = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) socket.write('X\r\n\r\n')
    for (const [data] of await Promise.all(answers)) expect(String(data)).toMatch(/^HTTP\/1\.1 400 /)
    // The peers keep their side open, and no time-out of the server is near: only the refusal can end these.
    await eventually(async () => (await openSockets(world)) === 0)
    for (const socket of sockets) socket.destroy()
  })

  test('a connection that sends requests without reading the answers is closed, others are not', async () => {
    const socket = await open(port)
    socket.pause()
    const closed = once(socket, 'close')
    let answers = ''
    socket.on('data', (chunk) => {
      answers += chunk
    })
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(400))
    socket.resume()
    await closed
    expect(answers.split('HTTP/1.1 200 OK').length - 1).toBeLessThanOrEqual(MOST_PIPELINED)
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200)
  })

  test('requests that wait behind another are not begun, and those beyond the limit never', async () => {
    const app = Fastify()
    let begun = 0
    handleInOrder(app, createLogger('silent'))
    app.get('/', () => {
      begun++
      return new Promise(() => {})
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = await open((app.server.address() as AddressInfo).port)
    const closed = once(socket, 'close')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(400))
    await closed
    await app.close()
    expect(begun).toBeLessThanOrEqual(1)
  })

  test('a document is the same bytes for everybody, not made for each request', async () => {
    const [first, second] = [await world.app.inject('/openapi.json'), await world.app.inject('/openapi.json')]
    expect(first.headers['content-length']).toBe(second.headers['content-length'])
    expect(first.json().openapi).toBe('3.1.0')
  })
})

describe('limits of connections', () => {
  const open16 = async (limits: { most: number; mostPerAddress: number; trustedProxies?: string }) => {
    const world = await openWorld('sqlite')
    const lines: string[] = []
    limitSockets(world.app.server, limits, createLogger('warn', { write: (line) => void lines.push(line) }))
    const port = await listening(world)
    const sockets = await Promise.all(Array.from({ length: 16 }, () => open(port)))
    const refused = new Set<Socket>()
    for (const socket of sockets) socket.on('close', () => refused.add(socket))
    return { world, port, lines, sockets, refused }
  }

  test.each([
    ['in all', { most: 5, mostPerAddress: 0 }],
    ['from one address', { most: 100, mostPerAddress: 5 }],
  ])(
    'the sixth connection %s is refused and logged once, and there is room again when one ends',
    async (what, limits) => {
      const { world, port, lines, sockets, refused } = await open16(limits)
      await eventually(() => refused.size === 11)
      expect(lines.filter((line) => line.includes('connections refused'))).toHaveLength(1)
      expect(lines[0]).toContain(what === 'in all' ? '5 are open"' : '5 are open from one address')
      for (const socket of sockets) socket.destroy()
      await eventually(async () => (await openSockets(world)) === 0)
      expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200)
      await world.close()
    },
  )

  test('connections from one IPv6 network of 64 bits count as from one address', () => {
    const server = createServer()
    limitSockets(server, { most: 100, mostPerAddress: 2 }, createLogger('silent'))
    const isRefused = (remoteAddress: string) => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
      server.emit('connection', socket)
      return socket.destroyed
    }
    expect(['1', '2', '3'].map((host) => isRefused(`2001:db8:1:2::${host}`))).toEqual([false, false, true])
    expect(isRefused('2001:db8:1:3::1')).toBe(false)
  })

  test('a trusted proxy speaks for many, and is not limited by its address', async () => {
    const { world, sockets, refused } = await open16({
      most: 100,
      mostPerAddress: 5,
      trustedProxies: '10.0.0.0/8, 127.0.0.1',
    })
    await eventually(async () => (await openSockets(world)) === 16)
    expect(refused.size).toBe(0)
    for (const socket of sockets) socket.destroy()
    await world.close()
  })
})
