import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../src/doors/http/v1/answer.ts'
import { ownConnection } from '../src/doors/http/v1/own-connections.ts'

const EMPTY: Answer = { status: 304, headers: [], fixed: { headers: [], lines: '' }, text: '', isAscii: true }

/** A connection of which every answer is waited for. */
class Wire {
  readonly socket: Socket
  /** A character for each byte. */
  #received = ''

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.socket.on('error', () => undefined)
    this.socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1')
    })
  }

  /** The next answer's status and body. */
  async answer(): Promise<[status: number, text: string]> {
    const whole = /^HTTP\/1\.1 (\d+)(?:.|\r|\n)*?\r\ncontent-length: (\d+)(?:.|\r|\n)*?\r\n\r\n/i
    const notModified = /^HTTP\/1\.1 (304)(?:.|\r|\n)*?\r\n\r\n/
    const head = () => notModified.exec(this.#received) ?? whole.exec(this.#received)
    await eventually(() => {
      const found = head()
      return found !== null && this.#received.length >= found[0].length + Number(found[2] ?? 0)
    })
    const found = head() as RegExpExecArray
    const end = found[0].length + Number(found[2] ?? 0)
    const text = Buffer.from(this.#received.slice(found[0].length, end), 'latin1').toString()
    this.#received = this.#received.slice(end)
    return [Number(found[1]), text]
  }

  ask(request: string): Promise<[status: number, text: string]> {
    this.socket.write(request)
    return this.answer()
  }
}

const pollOf = ({ roomsPath, holder }: World): string =>
  `GET ${roomsPath} HTTP/1.1\r\nhost: a\r\nx-api-key: ${holder.readKey}\r\n\r\n`

function changeOf({ bathroomPath, holder }: World, patch: object): string {
  const body = JSON.stringify(patch)
  const fields = ['host: a', `x-api-key: ${holder.writeKey}`, 'content-type: application/json']
  const lines = [`PATCH ${bathroomPath} HTTP/1.1`, ...fields, `content-length: ${Buffer.byteLength(body)}`]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

describe.each(ENGINES)('a connection with polls on %s', (engine) => {
  let world: World
  let port: number
  let poll: string
  const others: unknown[] = []
  beforeAll(async () => {
    world = await openWorld(engine)
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    port = (world.app.server.address() as AddressInfo).port
    world.app.server.on('request', (request) => others.push(request))
    poll = pollOf(world)
  })
  afterAll(() => world.close())

  /** On a connection of which Node's server sees nothing. */
  async function onOwnConnection(work: (wire: Wire) => Promise<void>): Promise<void> {
    const before = others.length
    const wire = new Wire(port)
    await work(wire)
    expect(others).toHaveLength(before)
    wire.socket.destroy()
  }

  test('is answered without the server for everything else, as long as nothing else comes', () =>
    onOwnConnection(async (wire) => {
      const answers = [await wire.ask(poll), await wire.ask(poll), await wire.ask(poll)]
      expect(answers.map(([status]) => status)).toEqual([200, 200, 200])
      expect(new Set(answers.map(([, text]) => text)).size).toBe(1)
    }))

  test('is answered so when the rooms have changed, too, and the use of the key is noted', () =>
    onOwnConnection(async (wire) => {
      await wire.ask(poll)
      await world.patch({ name: 'Sauna' })
      world.clock.advance(6 * MINUTE_MS)
      const [status, text] = await wire.ask(poll)
      expect(status).toBe(200)
      expect(JSON.parse(text)).toContainEqual(await world.bathroom())
      expect(await world.bathroom()).toMatchObject({ name: 'Sauna' })
      await eventually(async () => {
        const used = world.store.db.selectFrom('apiKeys').select('id').where('lastUsedAt', '=', world.clock.now())
        return (await used.execute()).length > 0
      })
    }))

  test('answers a change of a room so too, and the next poll shows it', () =>
    onOwnConnection(async (wire) => {
      await wire.ask(poll)
      for (const target of [19.5, 22.5]) {
        const [status, text] = await wire.ask(changeOf(world, { target_temperature: target, name: 'Bäder' }))
        expect([status, JSON.parse(text)]).toEqual([200, await world.bathroom()])
        expect(JSON.parse(text)).toMatchObject({ target_temperature: target, name: 'Bäder' })
        expect(JSON.parse((await wire.ask(poll))[1])).toContainEqual(JSON.parse(text))
      }
    }))

  test('a change that is refused is answered, and what comes after it', async () => {
    const wire = new Wire(port)
    expect((await wire.ask(changeOf(world, { target_temperature: 99 })))[0]).toBe(400)
    expect((await wire.ask(changeOf(world, { target_temperature: 21 })))[0]).toBe(200)
    expect((await wire.ask(poll))[0]).toBe(200)
    wire.socket.destroy()
  })

  test('a change that arrives in pieces, or together with others, is made', async () => {
    const pieces = new Wire(port)
    const [head, body] = changeOf(world, { target_temperature: 18.5 }).split(/(?<=\r\n\r\n)/)
    pieces.socket.write(head as string)
    await new Promise(setImmediate)
    expect(JSON.parse((await pieces.ask(body as string))[1])).toMatchObject({ target_temperature: 18.5 })
    const together = new Wire(port)
    together.socket.write([19, 19.5, 20].map((target) => changeOf(world, { target_temperature: target })).join(''))
    for (let n = 0; n < 3; n++) expect((await together.answer())[0]).toBe(200)
    expect(await world.bathroom()).toMatchObject({ target_temperature: 20 })
    for (const { socket } of [pieces, together]) socket.destroy()
  })

  test('answers anything else on it too, and polls after that', async () => {
    const wire = new Wire(port)
    const [, text] = await wire.ask(poll)
    expect((await wire.ask('GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n'))[0]).toBe(200)
    expect(await wire.ask(poll)).toEqual([200, text])
    expect((await wire.ask(poll.replace('hyp_', 'hyp-')))[0]).toBe(401)
    expect(await wire.ask(poll)).toEqual([200, text])
    wire.socket.destroy()
  })

  test('answers a key that is refused, and the next poll on the same connection', async () => {
    const wire = new Wire(port)
    expect((await wire.ask(poll.replace(world.holder.readKey, world.stranger.readKey)))[0]).toBe(404)
    expect((await wire.ask(poll))[0]).toBe(200)
    wire.socket.destroy()
  })

  test('answers what comes while an answer is under way, each in its turn', async () => {
    const wire = new Wire(port)
    await wire.ask(poll)
    for (const request of [poll, poll.replace('hyp_', 'hyp-'), poll]) {
      wire.socket.write(request)
      await new Promise(setImmediate)
    }
    expect([(await wire.answer())[0], (await wire.answer())[0], (await wire.answer())[0]]).toEqual([200, 401, 200])
    wire.socket.destroy()
  })

  test('answers polls that arrive in pieces, together, or with the end of the connection', async () => {
    const pieces = new Wire(port)
    for (const letter of poll.slice(0, -1)) {
      pieces.socket.write(letter)
      await new Promise(setImmediate)
    }
    expect((await pieces.ask('\n'))[0]).toBe(200)
    const together = new Wire(port)
    together.socket.write(poll + poll + poll)
    for (let n = 0; n < 3; n++) expect((await together.answer())[0]).toBe(200)
    const last = new Wire(port)
    const closed = once(last.socket, 'close')
    last.socket.end(poll)
    expect((await last.answer())[0]).toBe(200)
    await closed
    for (const { socket } of [pieces, together]) socket.destroy()
  })
})

test('a client that does not read its answers is not answered further until it does', async () => {
  const written: string[] = []
  let wasRead = () => {}
  const socket = new Duplex({
    writableHighWaterMark: 1,
    read: () => undefined,
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      wasRead = done
    },
  })
  const connection = Object.assign(socket, { setTimeout: () => socket }) as unknown as Socket
  ownConnection(connection, {
    answererOf: () => (done) => done(EMPTY),
    ...{ firstWithinMs: 1000, keptMs: 1000, give: () => undefined },
  })
  for (let n = 0; n < 3; n++) {
    socket.push('a request')
    await new Promise(setImmediate)
  }
  expect(written).toHaveLength(1)
  wasRead()
  await new Promise(setImmediate)
  expect(written).toHaveLength(2)
})

test('a connection is not ended for silence while its answer is being made', async () => {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  const connection = Object.assign(socket, { setTimeout: () => socket }) as unknown as Socket
  let answer = (_answer: Answer) => {}
  ownConnection(connection, {
    answererOf: () => (done) => {
      answer = done
    },
    ...{ firstWithinMs: 1000, keptMs: 1000, give: () => undefined },
  })
  socket.push('a request')
  await new Promise(setImmediate)
  socket.emit('timeout')
  expect(socket.destroyed).toBe(false)
  answer(EMPTY)
  socket.emit('timeout')
  expect(socket.destroyed).toBe(true)
})

test('a connection that is to end takes in nothing after the answer under way', async () => {
  const taken: string[] = []
  let answer = (_answer: Answer) => {}
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  const fake = { setTimeout: () => socket, destroySoon: () => socket.end() }
  const connection = ownConnection(Object.assign(socket, fake) as unknown as Socket, {
    answererOf: (bytes) => (done) => {
      taken.push(String(bytes))
      answer = done
    },
    ...{ firstWithinMs: 1000, keptMs: 1000, give: () => undefined },
  })
  socket.push('one')
  await new Promise(setImmediate)
  socket.push('two')
  connection.end()
  answer(EMPTY)
  await new Promise(setImmediate)
  expect(taken).toEqual(['one'])
})

test('a service that closes lets go of connections on which it answered polls', async () => {
  const world = await openWorld('sqlite')
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  const wire = new Wire((world.app.server.address() as AddressInfo).port)
  const request = pollOf(world)
  await new Wire((world.app.server.address() as AddressInfo).port).ask(request)
  await wire.ask(request)
  const closed = once(wire.socket, 'close')
  await world.close()
  await closed
})

test('a service that closes answers the change that is under way first', async () => {
  const world = await openWorld('sqlite')
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  const wire = new Wire((world.app.server.address() as AddressInfo).port)
  await wire.ask(pollOf(world))
  const closed = once(wire.socket, 'close')
  const arrived = new Promise<void>((resolve) => {
    const batch = world.store.batch.bind(world.store)
    world.store.batch = (...given) => {
      resolve()
      return batch(...given)
    }
  })
  wire.socket.write(changeOf(world, { target_temperature: 23 }))
  await arrived
  const ended = world.app.close()
  const [status, text] = await wire.answer()
  expect([status, JSON.parse(text).target_temperature]).toEqual([200, 23])
  await Promise.all([closed, ended])
  await world.test.close()
})

test('a connection on which nothing comes is closed', async () => {
  const world = await openWorld('sqlite', { requestTimeoutMs: 60 })
  await world.app.listen({ host: '127.0.0.1', port: 0 })
  const { socket } = new Wire((world.app.server.address() as AddressInfo).port)
  await once(socket, 'close')
  await world.close()
})
