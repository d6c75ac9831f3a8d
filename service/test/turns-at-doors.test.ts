import { openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { MailServer, PUBLIC_URL } from '@hypocaust/testing/mail-server.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MOST_UNDER_WAY } from '../src/doors/http/turns.ts'

const MANY = 3 * MOST_UNDER_WAY
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }

describe.each(ENGINES)('of one caller a few requests are worked on at a time, on %s', (engine) => {
  let world: World
  const mail = new MailServer()
  /** Requests on /v1 that have their turn and wait to go on. */
  const held: { url: string; goOn(): void }[] = []
  const every = () => true
  let isHeld: (url: string) => boolean = every
  let readsBegun = 0
  beforeAll(async () => {
    await mail.start({ onMailFrom: ({ address }, _session, done) => held.push({ url: address, goOn: () => done() }) })
    world = await openSite(engine, {
      website: { ...WEBSITE, publicUrl: PUBLIC_URL, mailer: mail.mailer() },
      faults: async ({ url }) => {
        if (isHeld(url)) await new Promise<void>((resolve) => held.push({ url, goOn: resolve }))
        return { marks: [], refusal: null }
      },
      // Asked for each read as it begins.
      shedding: {
        isLate: () => {
          readsBegun++
          return false
        },
      },
    })
  })
  afterAll(async () => {
    await world.close()
    await mail.stop()
  })

  afterEach(() => {
    isHeld = every
    for (const { goOn } of held.splice(0)) goOn()
  })

  async function letAllGoOn<T>(answers: Promise<T>[]): Promise<T[]> {
    let isDone = false
    const all = Promise.all(answers).finally(() => {
      isDone = true
    })
    await eventually(() => {
      for (const { goOn } of held.splice(0)) goOn()
      return isDone
    })
    return all
  }

  test('by the key, on /v1', async () => {
    const { holder, stranger } = world
    const own = Array.from({ length: MANY }, () => world.get('/v1/key', { key: holder.readKey }))
    await eventually(() => held.length >= MOST_UNDER_WAY)
    const others = world.get('/v1/buildings', { key: stranger.readKey })
    await eventually(() => held.some(({ url }) => url === '/v1/buildings'))
    expect(held.filter(({ url }) => url === '/v1/key')).toHaveLength(MOST_UNDER_WAY)
    const answers = await letAllGoOn([...own, others])
    expect(answers.map(({ status }) => status)).toEqual(Array(MANY + 1).fill(200))
  })

  test.each(['changes', 'state'])('by the key, on /v1, also once what they waited for has come: %s', async (what) => {
    isHeld = (url) => url === '/v1/key'
    const { buildingPath, holder } = world
    const { cursor } = (await world.get('/v1/changes')).json
    const { etag = '' } = (await world.get(`${buildingPath}/state`)).headers
    let answered = 0
    const wait = async (key: string) => {
      const answer =
        what === 'changes'
          ? await world.get(`/v1/changes?since=${cursor}&wait=30`, { key })
          : await world.get(`${buildingPath}/state?wait=30`, { key, headers: { 'if-none-match': etag } })
      if (key === holder.readKey) answered++
      return answer
    }
    const own = Array.from({ length: MANY }, () => wait(holder.readKey))
    const others = wait(holder.writeKey)
    const busy = Array.from({ length: MOST_UNDER_WAY }, () => world.get('/v1/key', { key: holder.readKey }))
    await eventually(() => held.length === MOST_UNDER_WAY)
    await world.patch({ name: `Changed with ${what}` })
    expect((await others).status).toBe(200)
    expect(answered).toBe(0)
    const answers = await letAllGoOn([...busy, ...own])
    expect(answers.map(({ status }) => status)).toEqual(Array(MOST_UNDER_WAY + MANY).fill(200))
  })

  test('by the key, on /mcp', async () => {
    const { holder, stranger } = world
    const say = (key: string) =>
      world.call('POST', '/mcp', {
        key,
        headers: MCP_HEADERS,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_rooms', arguments: {} } },
      })
    const before = readsBegun
    const own = Array.from({ length: MANY }, () => say(holder.readKey))
    await eventually(() => held.length >= MOST_UNDER_WAY)
    const others = say(stranger.readKey)
    await eventually(() => held.length > MOST_UNDER_WAY)
    // Each message begins with one read, which waits for no other message that has its turn.
    expect(readsBegun - before).toBe(MOST_UNDER_WAY + 1)
    const answers = await letAllGoOn([...own, others])
    expect(answers.map(({ status, text }) => [status, text.includes('isError":true')])).toEqual(
      Array(MANY + 1).fill([200, false]),
    )
  })

  test('by the account, on /app', async () => {
    const [ada, bob] = [await signedIn(world), await signedIn(world, 'bob@example.org')]
    const invite = (browser: typeof ada, buildingId: string, i: number) =>
      browser.call('POST', `/app/buildings/${buildingId}/invitations`, {
        role: 'resident',
        email: `guest${i}@example.org`,
      })
    const own = Array.from({ length: MANY }, (_, i) => invite(ada, world.holder.buildingId, i))
    await eventually(() => held.length >= MOST_UNDER_WAY)
    const others = invite(bob, world.stranger.buildingId, MANY)
    await eventually(() => held.length > MOST_UNDER_WAY)
    expect(held).toHaveLength(MOST_UNDER_WAY + 1)
    const answers = await letAllGoOn([...own, others])
    expect(answers.map(({ status, json }) => [status, json.is_mailed])).toEqual(Array(MANY + 1).fill([200, true]))
  })
})
