import { type AddressInfo, connect, type Socket } from 'node:net'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const ROUNDS = runs(60)

describe.each(ENGINES)('requests that are sent without waiting for answers, on %s', (engine) => {
  let world: World
  let port: number
  const sockets: Socket[] = []
  beforeAll(async () => {
    world = await openWorld(engine)
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    port = (world.app.server.address() as AddressInfo).port
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  afterAll(() => world.close())

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${world.holder.readKey}\r\n\r\n`

  function patch(target: number): string {
    const body = JSON.stringify({ target_temperature: target })
    const fields = [`x-api-key: ${world.holder.writeKey}`, 'content-type: application/json', 'host: a']
    const head = [`PATCH ${world.bathroomPath} HTTP/1.1`, ...fields, `content-length: ${body.length}`]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }

  /** The bodies of the answers, in the order in which they come. */
  async function answersTo(requests: string[], write: (socket: Socket, text: string) => void): Promise<unknown[]> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    sockets.push(socket)
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    write(socket, requests.join(''))
    const bodies = () => [...received.matchAll(/\r\n\r\n([[{].*?)(?=HTTP\/1\.1 |$)/gs)].map(([, body]) => String(body))
    await eventually(() => bodies().length === requests.length && isJson(bodies().at(-1) ?? ''))
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(requests.map(() => 'HTTP/1.1 200'))
    return bodies().map((body) => JSON.parse(body))
  }

  const atOnce = (socket: Socket, text: string) => void socket.write(text)
  const byteByByte = (socket: Socket, text: string) => {
    for (const byte of text) socket.write(byte)
  }

  test.each([
    ['in one piece', atOnce],
    ['byte by byte', byteByByte],
  ])('a GET behind a PATCH shows what the PATCH has written, %s', async (_how, write) => {
    for (let round = 0; round < ROUNDS; round++) {
      const target = round % 2 === 0 ? 18.5 : 23.5
      const [changed, room, rooms] = await answersTo(
        [patch(target), get(world.bathroomPath), get(world.roomsPath)],
        write,
      )
      expect(changed).toMatchObject({ target_temperature: target })
      expect(room).toMatchObject({ target_temperature: target })
      expect(rooms).toContainEqual(expect.objectContaining({ id: world.bathroomId, target_temperature: target }))
    }
  })

  test('a GET before a PATCH shows what was there before', async () => {
    await world.patch({ target_temperature: 20 })
    for (let round = 0; round < ROUNDS; round++) {
      const before = round % 2 === 0 ? 20 : 21
      const [room] = await answersTo([get(world.bathroomPath), patch(before === 20 ? 21 : 20)], atOnce)
      expect(room).toMatchObject({ target_temperature: before })
    }
  })

  test('of four PATCHes the last one holds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const targets = [18, 19, 20, 21].map((target) => target + (round % 2) / 2)
      const answers = await answersTo(targets.map(patch), atOnce)
      expect(answers.map((room) => (room as { target_temperature: number }).target_temperature)).toEqual(targets)
      expect(await world.bathroom()).toMatchObject({ target_temperature: targets.at(-1) })
    }
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
