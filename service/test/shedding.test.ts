import { TestClock } from '@hypocaust/testing/clock.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld } from '@hypocaust/testing/world.ts'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { handleErrors } from '../src/doors/http/errors.ts'
import { FEW_WRITES, LONG_WRITE_MS, type SheddingParts, shedLoad } from '../src/doors/http/shedding.ts'

let app: FastifyInstance
afterEach(() => app.close())

/** Answers when it is let; how many are under way is known. */
async function build(parts: SheddingParts, onLog: (line: string) => void = () => {}) {
  const held: (() => void)[] = []
  app = Fastify({
    logger: { level: 'warn', stream: { write: onLog } },
    logController: new LogController({ disableRequestLogging: true }),
  })
  handleErrors(app)
  shedLoad(app, parts)
  let ended = 0
  app.addHook('onRequest', (_request, reply, done) => {
    reply.raw.once('close', () => ended++)
    done()
  })
  const hold = () => new Promise((resolve) => held.push(() => resolve({})))
  app.route({ method: ['GET', 'PATCH'], url: '/v1/x', handler: hold })
  app.get('/app/events', { config: { waits: true } }, hold)
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/rooms/:id', async () => 'the start page')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = (path: string, method = 'GET') => fetch(`${url}${path}`, { method })
  return { held, ask, url, ended: () => ended }
}

test('reads beyond the limit are refused at once with Retry-After; changes, health and the files of the website are not, and it recovers by itself', async () => {
  const { held, ask } = await build({ mostReads: 3, mostWrites: 5 })
  const waiting = [ask('/v1/x'), ask('/v1/x'), ask('/v1/x')]
  await eventually(() => held.length === 3)
  const refused = await ask('/v1/x')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.json()).toMatchObject({ error: { code: 'unavailable' } })
  waiting.push(ask('/v1/x', 'PATCH'))
  await eventually(() => held.length === 4)
  expect((await ask('/health/live')).status).toBe(200)
  expect(await (await ask('/rooms/1')).text()).toBe('the start page')
  for (const release of held.splice(0)) release()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const again = ask('/v1/x')
  await eventually(() => held.length === 1)
  held[0]?.()
  expect((await again).status).toBe(200)
})

test('a flood of refusals is one line in the log', async () => {
  const lines: string[] = []
  const { held, ask } = await build({ mostReads: 1, mostWrites: 1 }, (line) => lines.push(line))
  const waiting = ask('/v1/x')
  await eventually(() => held.length === 1)
  for (let n = 0; n < 20; n++) expect((await ask('/v1/x')).status).toBe(503)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['overloaded: requests are refused with 503'])
  held[0]?.()
  await waiting
})

test('changes are refused last', async () => {
  const { held, ask } = await build({ mostReads: 1, mostWrites: 2 })
  const waiting = [ask('/v1/x', 'PATCH'), ask('/v1/x', 'PATCH')]
  await eventually(() => held.length === 2)
  expect((await ask('/v1/x', 'PATCH')).status).toBe(503)
  for (const release of held) release()
  await Promise.all(waiting)
})

test('once changes take long, no more than a few are taken until one is quick again', async () => {
  const clock = new TestClock()
  const { held, ask, ended } = await build({ clock })
  const change = () => ask('/v1/x', 'PATCH')
  const accepted = Array.from({ length: FEW_WRITES + 1 }, change)
  await eventually(() => held.length === FEW_WRITES + 1)
  clock.advance(LONG_WRITE_MS)
  held.shift()?.()
  await eventually(() => ended() === 1)
  expect((await change()).status).toBe(503)
  held.shift()?.()
  await eventually(() => ended() === 2)
  accepted.push(change())
  await eventually(() => held.length === FEW_WRITES)
  expect((await change()).status).toBe(503)
  held.pop()?.()
  await eventually(() => ended() === 3)
  accepted.push(change(), change(), change())
  await eventually(() => held.length === FEW_WRITES + 2)
  for (const release of held) release()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual(accepted.map(() => 200))
})

test.each([
  ['readings wait for the database', { isBehind: () => true }],
  ['the event loop is late', { isLate: () => true }],
])('while %s, reads are refused and changes are not', async (_what, parts) => {
  const { held, ask } = await build(parts)
  expect((await ask('/v1/x')).status).toBe(503)
  const change = ask('/v1/x', 'PATCH')
  await eventually(() => held.length === 1)
  held[0]?.()
  expect((await change).status).toBe(200)
  expect((await ask('/health/live')).status).toBe(200)
})

test('pages that wait for events are no load', async () => {
  const { held, ask } = await build({ mostReads: 1 })
  const waiting = [ask('/app/events'), ask('/app/events'), ask('/v1/x')]
  await eventually(() => held.length === 3)
  for (const release of held) release()
  await Promise.all(waiting)
})

test('the service itself refuses reads in its own form', async () => {
  const world = await openWorld('sqlite', { shedding: { isBehind: () => true } })
  app = world.app
  const answer = await world.get('/v1/buildings', { key: world.holder.readKey })
  expect(answer).toMatchObject({ status: 503, json: { error: { code: 'unavailable' } } })
  expect(answer.headers).toHaveProperty('access-control-allow-origin')
  expect((await world.patch({ target_temperature: 21 })).status).toBe(200)
  await world.close()
})
