import { TestClock } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { handleErrors } from '../src/doors/http/errors.ts'
import { shedLoad } from '../src/doors/http/shedding.ts'
import { LONGEST_WAIT_MS, MOST_UNDER_WAY, MOST_WAITS, Turns } from '../src/doors/http/turns.ts'

let app: FastifyInstance | undefined
afterEach(() => app?.close())

/** Answers when it is let, to callers that take turns. */
async function build() {
  app = Fastify()
  handleErrors(app)
  const clock = new TestClock()
  const turns = new Turns(shedLoad(app, { mostReads: MOST_UNDER_WAY + 1, isLate: () => false }), clock)
  const held: { by: string; answer(): void }[] = []
  let asked = 0
  const hold = async ({ params: { by } }: FastifyRequest<{ Params: { by: string } }>, reply: FastifyReply) => {
    asked++
    await turns.take(by, reply)
    await new Promise<void>((resolve) => held.push({ by, answer: resolve }))
    return {}
  }
  app.get('/v1/:by', hold)
  app.get('/v1/:by/news', { config: { waits: true } }, hold)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = (by: string) => fetch(`${url}/v1/${by}`)
  return { clock, held, ask, asked: () => asked }
}

test('requests of one caller wait for their turn, and those of others do not wait for them', async () => {
  const { held, ask } = await build()
  const greedy = Array.from({ length: 3 * MOST_UNDER_WAY }, () => ask('greedy'))
  await eventually(() => held.length === MOST_UNDER_WAY)
  const other = ask('other')
  await eventually(() => held.some(({ by }) => by === 'other'))
  expect(held.filter(({ by }) => by === 'greedy')).toHaveLength(MOST_UNDER_WAY)
  const answered = Promise.all([...greedy, other])
  let done = false
  void answered.then(() => {
    done = true
  })
  await eventually(() => {
    for (const { answer } of held.splice(0)) answer()
    return done
  })
  expect((await answered).map(({ status }) => status)).toEqual(Array(3 * MOST_UNDER_WAY + 1).fill(200))
})

test('behind a request that has waited for long, no more of its caller are taken until it has its turn', async () => {
  const { clock, held, ask, asked } = await build()
  const answers = Array.from({ length: MOST_UNDER_WAY + 1 }, () => ask('greedy'))
  await eventually(() => asked() === MOST_UNDER_WAY + 1)
  clock.advance(LONGEST_WAIT_MS + 1)
  expect((await ask('greedy')).status).toBe(503)
  held.shift()?.answer()
  await eventually(() => held.length === MOST_UNDER_WAY)
  answers.push(ask('greedy'))
  await eventually(() => asked() === MOST_UNDER_WAY + 3)
  let done = false
  const answered = Promise.all(answers).finally(() => {
    done = true
  })
  await eventually(() => {
    for (const { answer } of held.splice(0)) answer()
    return done
  })
  expect((await answered).map(({ status }) => status)).toEqual(answers.map(() => 200))
})

test('requests that waited for news and then for their turn are no load any more once they are answered', async () => {
  const { held, ask } = await build()
  let done = false
  const answers = Promise.all(Array.from({ length: 3 * MOST_UNDER_WAY }, () => ask('greedy/news'))).finally(() => {
    done = true
  })
  await eventually(() => {
    for (const { answer } of held.splice(0)) answer()
    return done
  })
  await answers
  const other = ask('other')
  await Promise.race([other, eventually(() => held.length === 1)])
  held[0]?.answer()
  expect((await other).status).toBe(200)
})

describe.each(ENGINES)('what a request costs on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 40, write: 5 } })
  })
  afterAll(() => world.close())

  const left = (header: string | undefined) => Number(/r=(\d+)/.exec(header ?? '')?.[1])
  const daysAgo = (days: number) => new Date(world.clock.now() - days * 86_400_000).toISOString()
  const history = (days: number, headers = {}) =>
    world.get(`${world.bathroomPath}/history?from=${daysAgo(days)}&to=${daysAgo(0)}`, { headers })

  test('the past costs more the longer it is, and a poll costs one', async () => {
    world.clock.advance(60_000)
    expect(left((await world.get(world.bathroomPath)).headers.ratelimit)).toBe(39)
    expect(left((await history(1)).headers.ratelimit)).toBe(35)
    expect(left((await history(365)).headers.ratelimit)).toBe(5)
    expect((await history(365)).status).toBe(200)
    expect(left((await history(365)).headers.ratelimit)).toBe(0)
    expect((await history(1)).status).toBe(429)
  })

  test('a 304 that had to be worked out costs what the answer would, and is refused beyond the budget', async () => {
    world.clock.advance(60_000)
    const { headers } = await history(365)
    const again = await history(365, { 'if-none-match': headers.etag })
    expect([again.status, left(again.headers.ratelimit)]).toEqual([304, 0])
    expect((await history(365, { 'if-none-match': headers.etag })).status).toBe(429)
    world.clock.advance(60_000)
    const { etag } = (await world.get(world.bathroomPath)).headers
    const free = await world.get(world.bathroomPath, { headers: { 'if-none-match': String(etag) } })
    expect([free.status, left(free.headers.ratelimit)]).toEqual([304, 39])
  })

  test('outlooks and alerts are kept for all who read them: each costs one, and a 304 nothing', async () => {
    world.clock.advance(60_000)
    const paths = [`${world.bathroomPath}/outlook`, `${world.buildingPath}/alerts`]
    for (const [i, path] of paths.entries()) {
      const { headers } = await world.get(path)
      expect(left(headers.ratelimit)).toBe(39 - i)
      const again = await world.get(path, { headers: { 'if-none-match': String(headers.etag) } })
      expect([again.status, left(again.headers.ratelimit)]).toEqual([304, 39 - i])
    }
    const unknown = await world.get(`${world.roomsPath}/01890000-0000-7000-8000-000000000000/outlook`)
    expect([unknown.status, left(unknown.headers.ratelimit)]).toEqual([404, 37])
    expect((await world.get(`${world.roomsPath}/${world.bathroomId.toUpperCase()}/outlook`)).status).toBe(200)
  })

  test.each(['/v1/changes', 'the state'])(
    'a key that waits for %s in too many requests is refused one more',
    async (what) => {
      world.clock.advance(60_000)
      const { cursor } = (await world.get('/v1/changes')).json
      const { etag = '' } = (await world.get(`${world.buildingPath}/state`)).headers
      const wait = () =>
        what === 'the state'
          ? world.get(`${world.buildingPath}/state?wait=30`, { headers: { 'if-none-match': etag } })
          : world.get(`/v1/changes?since=${cursor}&wait=30`)
      let answered = 0
      const refused: number[] = []
      const all = Array.from({ length: MOST_WAITS + 10 }, () =>
        wait().then(({ status }) => {
          answered++
          if (status !== 200) refused.push(status)
        }),
      )
      await eventually(() => answered === 10)
      expect(refused).toEqual(Array(10).fill(429))
      await world.patch({ name: 'Changed' })
      await Promise.all(all)
      await world.reset()
    },
  )
})
