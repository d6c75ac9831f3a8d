import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { newSecret } from '../src/base/secret.ts'

let lines: string[] = []
const logger = createLogger('debug', { write: (line) => lines.push(line) })
let world: World

beforeAll(async () => {
  world = await openWorld('sqlite', { logger })
})
afterAll(() => world.close())
beforeEach(() => {
  lines = []
})

const KEY = newSecret('hyp_')
const TOKEN = newSecret('hypg_')

test.each([
  ['in a message', () => logger.info(`the key ${KEY} and the token ${TOKEN}`)],
  ['in a field', () => logger.info({ key: KEY, token: TOKEN }, 'fields')],
  ['deep in headers', () => logger.info({ req: { headers: { 'x-api-key': KEY, other: [TOKEN] } } }, 'deep')],
  ['in an error', () => logger.error(new Error(`refused ${KEY} ${TOKEN}`))],
  ['in the cause of an error', () => logger.error(new Error('refused', { cause: new Error(KEY + TOKEN) }))],
  ['in a bound field', () => logger.child({ key: KEY, token: TOKEN }).warn('bound')],
  ['in an address', () => logger.info(`mqtt://gateway:${TOKEN}@host/?a=%20${KEY}`)],
])('a key or token %s is hidden', (_where, log) => {
  log()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('[hidden]')
  expect(lines[0]).not.toContain(KEY.slice(4))
  expect(lines[0]).not.toContain(TOKEN.slice(5))
  expect(() => JSON.parse(lines[0] ?? '')).not.toThrow()
})

test('a request that fails inside is logged with its id, its reason and no key', async () => {
  const { readKey } = world.holder
  const other = new DatabaseSync(join(world.test.folder, 'hypocaust.db'), { timeout: 5000 })
  other.exec('alter table weather rename to elsewhere')
  const { status, headers } = await world.get(`/v1/buildings?leak=${readKey}`)
  other.exec('alter table elsewhere rename to weather')
  other.close()
  expect(status).toBe(500)
  const log = lines.join('')
  expect(log).toContain(headers['x-request-id'])
  expect(log).toContain('weather')
  expect(log).not.toContain(readKey.slice(4))
})

test('ordinary requests, also refused ones, leave no key in the log', async () => {
  const { readKey, writeKey } = world.holder
  await world.get(`/v1/buildings/${readKey}`)
  await world.get('/v1/key', { headers: { 'x-request-id': readKey } })
  await world.patch(JSON.stringify({ name: writeKey, nonsense: writeKey }))
  await world.patch(writeKey)
  const log = lines.join('')
  for (const key of [readKey, writeKey]) expect(log).not.toContain(key.slice(4))
})

test('a caller who hangs up in the middle of a body is no error', async () => {
  const { app, bathroomPath, holder } = world
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const head = `PATCH ${bathroomPath} HTTP/1.1\r\nhost: here\r\nx-api-key: ${holder.writeKey}\r\ncontent-type: application/json`
  const caller = connect(port, '127.0.0.1')
  const [request] = await Promise.all([
    once(app.server, 'request') as Promise<[IncomingMessage]>,
    new Promise((sent) => caller.write(`${head}\r\ncontent-length: 100\r\n\r\n{"name"`, sent)),
  ])
  const closed = once(request[0].socket, 'close')
  caller.destroy()
  await closed
  // A request after it: by then the first is over.
  await world.get('/v1/key')
  expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
