import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'

const lines: string[] = []
let world: World
beforeAll(async () => {
  world = await openWorld('sqlite', { logger: createLogger('info', { write: (line) => void lines.push(line) }) })
  await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const opened = () => connect((world.app.server.address() as AddressInfo).port, '127.0.0.1')

async function answerTo(head: string[]): Promise<string> {
  const socket = opened()
  socket.write(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

test.each([
  ['two hosts', ['GET /health/live HTTP/1.1', 'host: a', 'Host: b']],
  ['no host', ['GET /health/live HTTP/1.1']],
])('a request with %s is refused in the usual form', async (_what, head) => {
  const answer = await answerTo(head)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error).toMatchObject({
    code: 'invalid_value',
    message: expect.stringContaining('exactly one Host'),
  })
})

test('HTTP/1.0, which has no host, is answered', async () => {
  expect(await answerTo(['GET /health/live HTTP/1.0'])).toMatch(/^HTTP\/1\.1 200 /)
})

test('a whole address in place of the path is the path in it, with all that holds for the path', async () => {
  const answer = await answerTo(['GET HTTP://a/v1/key HTTP/1.1', 'host: a'])
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer).toMatch(/^access-control-allow-origin: /m)
  const [, body = ''] = (await answerTo(['GET http://a/v1/buildings/ HTTP/1.1', 'host: a'])).split('\r\n\r\n')
  expect(JSON.parse(body).error.message).toBe('No such path: /v1/buildings/')
  expect(await answerTo(['GET http://a/health/live HTTP/1.1', 'host: a'])).toMatch(/^HTTP\/1\.1 200 /)
})

test('a caller that expects something unknown is answered as any other', async () => {
  expect(await answerTo(['GET /health/live HTTP/1.1', 'host: a', 'expect: 200-ok'])).toMatch(/^HTTP\/1\.1 200 /)
})

test('a body that is cut off in the middle is not logged as an error', async () => {
  const socket = opened()
  const head = [`PATCH ${world.bathroomPath} HTTP/1.1`, 'host: x', `x-api-key: ${world.holder.writeKey}`]
  socket.write(`${[...head, 'content-type: application/json', 'content-length: 100'].join('\r\n')}\r\n\r\n{"name":`)
  const [request] = await once(world.app.server, 'request')
  const isOver = new Promise((resolve) => request.once('close', resolve))
  socket.destroy()
  await isOver
  await eventually(async () => (await world.get('/v1/key')).status === 200)
  expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
