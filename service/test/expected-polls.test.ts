import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { raiseLive } from '../src/house/revisions.ts'
import { createKey, revokeKey } from '../src/people/keys/keys.ts'
import { LookUpConnection } from '../src/store/postgres/look-up-connection.ts'

/** A poll that was answered before is expected to be answered alike, unless something has changed since. */
describe.each(ENGINES)('a poll that was answered before on %s', (engine) => {
  let world: World
  let url: string
  let id: string
  let headers: { 'x-api-key': string }
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 40, write: 40 } })
    url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await changeMembership({ role: 'owner', rooms: null, endsAt: null })
    const created = await newKey()
    id = created.id
    headers = { 'x-api-key': created.value }
    await changeKey('lastUsedAt', world.clock.now())
    for (let n = 0; n < 3; n++) expect((await polled()).status).toBe(200)
  })

  const newKey = () =>
    createKey(world.store, world.clock, {
      accountId: world.holder.accountId,
      name: 'polls, "quoted" and \\escaped',
      permission: 'read',
      expiresAt: world.clock.now() + 2 * MINUTE_MS,
      buildingIds: [world.holder.buildingId],
    })

  async function polled(more: Record<string, string> = {}) {
    const answer = await fetch(`${url}${world.roomsPath}`, { headers: { ...headers, ...more } })
    const left = Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
    return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: await answer.text(), left }
  }

  async function ordinary(more: Record<string, string> = {}) {
    const { statusCode, body } = await world.app.inject({ url: world.roomsPath, headers: { ...headers, ...more } })
    return { status: statusCode, text: body }
  }

  const changeMembership = (change: { role?: 'owner' | 'guest'; rooms?: string | null; endsAt?: number | null }) =>
    world.store.db
      .updateTable('members')
      .set(change)
      .where('accountId', '=', world.holder.accountId)
      .where('buildingId', '=', world.holder.buildingId)
      .execute()

  /** Also what the service never changes. */
  const changeKey = (column: string, value: unknown) =>
    sql`update api_keys set ${sql.ref(column)} = ${value} where id = ${id}`.execute(world.store.db)

  const rooms = (...indexes: number[]) => JSON.stringify(indexes.map((i) => world.holder.roomIds[i]))

  test.each<[string, number, () => unknown]>([
    ['its key is revoked', 401, () => revokeKey(world.store, world.clock, { id })],
    ['its key is deleted', 401, () => world.store.db.deleteFrom('apiKeys').where('id', '=', id).execute()],
    ['its key is made to end', 401, () => changeKey('expiresAt', world.clock.now())],
    ['its key ends', 401, () => world.clock.advance(2 * MINUTE_MS)],
    ['its key is limited to another building', 404, () => changeKey('buildings', '["another"]')],
    ['the membership of its holder ends', 404, () => changeMembership({ endsAt: world.clock.now() })],
    ['its holder becomes a guest', 200, () => changeMembership({ role: 'guest', rooms: rooms(0) })],
    ['a room changes', 200, () => world.report(BATHROOM_SENSOR, { temperatureC: 17.25 })],
  ])('is answered as it is now when %s', async (_what, status, change) => {
    const before = await polled()
    expect((await polled({ 'if-none-match': before.tag })).status).toBe(304)
    await change()
    const { left: _, tag: __, ...now } = await polled()
    expect(now.status).toBe(status)
    expect(now.text).not.toBe(before.text)
    expect((await polled({ 'if-none-match': before.tag })).status).toBe(status)
    const { text } = await ordinary()
    if (status === 200) expect(now.text).toBe(text)
  })

  test('gets the rooms of a guest as they are chosen now', async () => {
    for (const chosen of [rooms(0), rooms(1), rooms(0, 1), rooms(0)]) {
      await changeMembership({ role: 'guest', rooms: chosen })
      for (let n = 0; n < 3; n++) expect((await polled()).text).toBe((await ordinary()).text)
    }
  })

  test('costs one each time, also when something changed in between', async () => {
    const { left } = await polled()
    const counted: number[] = []
    for (let n = 0; n < 6; n++) {
      if (n % 3 === 2) await raise()
      counted.push((await polled()).left)
    }
    expect(counted).toEqual([1, 2, 3, 4, 5, 6].map((n) => left - n))
  })

  test('costs one each, where several of one key come at the same moment', async () => {
    const { left } = await polled()
    const answers = await Promise.all(Array.from({ length: 6 }, () => polled()))
    expect(answers.map((answer) => answer.left).toSorted((a, b) => b - a)).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => left - n),
    )
  })

  test('begins a new budget when the old one is over', async () => {
    await changeKey('expiresAt', world.clock.now() + 10 * MINUTE_MS)
    await polled()
    world.clock.advance(MINUTE_MS)
    expect([(await polled()).left, (await polled()).left]).toEqual([39, 38])
  })

  const raise = () =>
    world.store.batch([raiseLive.with(world.store, { buildingId: world.holder.buildingId, nowMs: 0 })])

  test.runIf(engine === 'postgres')('is one statement', async () => {
    const { tag } = await polled()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const lookUp = vi.spyOn(LookUpConnection.prototype, 'run')
    const statementsOf = async (more?: Record<string, string>) => {
      query.mockClear()
      lookUp.mockClear()
      await polled(more)
      // A connection that is just opened is set up by a bare text.
      return query.mock.calls.filter(([asked]) => typeof asked !== 'string').length + lookUp.mock.calls.length
    }
    try {
      expect(await statementsOf()).toBe(1)
      expect(await statementsOf({ 'if-none-match': tag })).toBe(1)
    } finally {
      query.mockRestore()
      lookUp.mockRestore()
    }
  })

  test.runIf(engine === 'postgres')('does not wait for that of another key which takes long', async () => {
    const other = await newKey()
    const poll = (key: string) => fetch(`${url}${world.roomsPath}`, { headers: { 'x-api-key': key } })
    for (let n = 0; n < 3; n++) await poll(other.value)
    const lock = await world.test.connect()
    await lock.execute(`begin; select 1 from rate_windows where name like '%${id}%' for update`)
    let isAnswered = false
    const held = poll(headers['x-api-key']).then(({ status }) => {
      isAnswered = true
      return status
    })
    await eventually(async () => {
      const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      return (await waiting.execute(world.store.db)).rows.length > 0
    })
    const statuses = await Promise.all([poll(other.value), poll(other.value)])
    expect([...statuses.map(({ status }) => status), isAnswered]).toEqual([200, 200, false])
    await lock.execute('rollback')
    await lock.end()
    expect(await held).toBe(200)
  })
})
