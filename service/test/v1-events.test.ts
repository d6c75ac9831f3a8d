import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { EventReader, type SentEvent } from '@hypocaust/testing/event-reader.ts'
import { BATHROOM_SENSOR, furnish, STRANGERS_HOUSE } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { tokensFor } from '@hypocaust/testing/oauth.ts'
import { appOn, openWorld, type World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NO_QUOTAS } from '../src/base/quotas.ts'
import { hashSecret } from '../src/base/secret.ts'
import { lingerBriefly } from '../src/doors/http/closing.ts'
import { MOST_WAITS } from '../src/doors/http/turns.ts'
import { STATE_PARTS } from '../src/doors/http/v1/schemas.ts'
import { changeBuilding, removeBuilding } from '../src/house/buildings/manage.ts'
import { createKey, revokeKey } from '../src/people/keys/keys.ts'
import { removeMember } from '../src/people/members/members.ts'
import { refreshGrant } from '../src/people/oauth/grants.ts'
import type { Store } from '../src/store/store.ts'

const LISTENING = { host: '127.0.0.1', port: 0 }
const PARTS = [...STATE_PARTS].sort()

const partsIn = ({ data }: SentEvent): string[] =>
  Object.keys(data)
    .filter((name) => name !== 'building_id' && name !== 'revision')
    .sort()

/** What a program has that puts each part in the place of the one before. */
const merged = (events: SentEvent[], buildingId: string): object => {
  const own = events.filter(({ name, data }) => name === 'state' && data.building_id === buildingId)
  const { building_id: _, ...state } = Object.assign({}, ...own.map(({ data }) => data))
  return state
}

describe.each(ENGINES)('events on %s', (engine) => {
  let world: World
  let url: string
  let second: { store: Store; app: FastifyInstance; url: string }
  const open: EventReader[] = []
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 10_000, write: 10_000 } })
    url = await world.app.listen(LISTENING)
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 21, batteryPct: 90 })
    const store = await world.test.openAgain()
    const app = await appOn(store, world.clock)
    second = { store, app, url: await app.listen(LISTENING) }
  })
  afterEach(() => {
    for (const reader of open.splice(0)) reader.close()
  })
  afterAll(async () => {
    await second.app.close()
    await second.store.close()
    await world.close()
  })

  const stream = async (key = world.holder.readKey, options: { at?: string; after?: string; query?: string } = {}) => {
    const reader = await EventReader.open(options.at ?? url, key, options)
    open.push(reader)
    return reader
  }
  const elsewhere = async (method: 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const { statusCode } = await second.app.inject({
      ...{ method, url: path },
      headers: { 'x-api-key': world.holder.writeKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    expect(statusCode).toBe(200)
  }
  const target = (targetC: number) => elsewhere('PATCH', world.bathroomPath, { target_temperature: targetC })
  const has = (targetC: number) => (event: SentEvent) =>
    event.data.rooms?.some(
      (room: { id: string; target_temperature: number }) =>
        room.id === world.bathroomId && room.target_temperature === targetC,
    )
  const stateNow = async (key = world.holder.readKey) => (await world.get(`${world.buildingPath}/state`, { key })).json
  const keyOf = (accountId: string) =>
    createKey(world.store, world.clock, { accountId, name: 'x', permission: 'read', expiresAt: null })

  test.each([undefined, '*/*', 'application/json', 'text/event-stream;q=0'])(
    'are sent only to a caller that accepts them, not with Accept: %s',
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept }
      expect(await world.get('/v1/events', { headers })).toMatchObject({
        status: 406,
        json: { error: { code: 'not_acceptable' } },
      })
    },
  )

  test('need a key, and a building that it reaches', async () => {
    const headers = { accept: 'text/event-stream' }
    expect((await world.call('GET', '/v1/events', { headers })).status).toBe(401)
    const query = `?building_id=${world.stranger.buildingId}`
    expect((await world.get(`/v1/events${query}`, { headers })).status).toBe(404)
    expect((await world.get('/v1/events?building_id=x', { headers })).status).toBe(404)
    expect((await world.get('/v1/events?since=x', { headers })).json.error.code).toBe('unknown_field')
  })

  test('HEAD is answered without waiting', async () => {
    const answer = await world.call('HEAD', '/v1/events', {
      key: world.holder.readKey,
      headers: { accept: 'text/event-stream' },
    })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  test('begin with the buildings and with the whole state of each', async () => {
    const reader = await stream()
    expect(reader.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(reader.answer.headers.get('x-request-id')).toBeTruthy()
    expect(reader.answer.headers.get('access-control-allow-origin')).toBe('*')
    const [buildings, state] = [await reader.next(), await reader.next()]
    expect([buildings?.name, buildings?.data]).toEqual(['buildings', { building_ids: [world.holder.buildingId] }])
    expect(partsIn(state as SentEvent)).toEqual(PARTS)
    expect(merged([state as SentEvent], world.holder.buildingId)).toEqual(await stateNow())
  })

  test('then have the parts that a change in another process has changed, and no others', async () => {
    const reader = await stream()
    const events = await reader.until(({ name }) => name === 'state')
    await target(24)
    const changed = await reader.until(has(24))
    for (const event of changed) expect(PARTS.filter((part) => !partsIn(event).includes(part))).toContain('timezone')
    await elsewhere('PUT', `${world.buildingPath}/away`, { until: null, target_temperature: 15 })
    const away = await reader.until(({ data }) => data.away?.target_temperature === 15)
    expect(merged([...events, ...changed, ...away], world.holder.buildingId)).toEqual(await stateNow())
    await elsewhere('DELETE', `${world.buildingPath}/away`)
  })

  test('an event per change, in their order, and what a program puts together is the state', async () => {
    const reader = await stream()
    const events = await reader.until(({ name }) => name === 'state')
    for (const targetC of [18, 19, 18, 19]) {
      await target(targetC)
      events.push(...(await reader.until(has(targetC))))
    }
    // Also one that brings back what was before.
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    expect(merged(events, world.holder.buildingId)).toEqual(await stateNow())
  })

  test('go on at another process after the last event that was received, without what the caller has', async () => {
    const first = await stream()
    const [last] = (await first.until(({ name }) => name === 'state')).slice(-1)
    first.close()
    await changeBuilding(second.store, world.clock, world.holder.buildingId, { name: 'Lakeside 13' })
    const resumed = await stream(world.holder.readKey, { at: second.url, after: String(last?.id) })
    const next = await resumed.next()
    expect([next?.name, partsIn(next as SentEvent), next?.data.building.name]).toEqual([
      'state',
      // An alert names its building.
      ['alerts', 'building'],
      'Lakeside 13',
    ])
    resumed.close()
    // Nothing has changed since: what comes is of the next change.
    const again = await stream(world.holder.readKey, { after: String(next?.id) })
    await target(17)
    for (const event of await again.until(has(17))) {
      expect(event.name).toBe('state')
      expect(partsIn(event)).not.toContain('building')
    }
  })

  test('begin anew after an id of something else', async () => {
    const reader = await stream(world.holder.readKey, { after: 'of-another-service' })
    expect((await reader.next())?.name).toBe('buildings')
    expect(partsIn((await reader.next()) as SentEvent)).toEqual(PARTS)
  })

  test('follow a building that is added, and no longer one that is gone', async () => {
    const reader = await stream()
    await reader.until(({ name }) => name === 'state')
    const { buildingId, accountId } = world.holder
    const added = await furnish(second.store, world.clock, accountId, STRANGERS_HOUSE)
    const events = await reader.until(({ data }) => data.building_id === added.buildingId)
    expect(events.find(({ name }) => name === 'buildings')?.data.building_ids).toEqual(
      [buildingId, added.buildingId].sort(),
    )
    expect(partsIn(events.at(-1) as SentEvent)).toEqual(PARTS)
    const only = await stream(world.holder.readKey, { query: `?building_id=${added.buildingId.toUpperCase()}` })
    await only.until(({ name }) => name === 'state')
    await removeBuilding(second.store, added.buildingId)
    const left = (await reader.until(({ name }) => name === 'buildings')).at(-1)
    expect(left?.data.building_ids).toEqual([buildingId])
    while (await only.next()) expect(only.answer.status).toBe(200)
  })

  test('show a guest the guest’s rooms only, and end being sent with the membership', async () => {
    const { buildingId, roomIds } = world.holder
    const email = 'guest@example.org'
    const guest = await settleMember(world.store, world.clock, {
      ...{ buildingId, email, role: 'guest' },
      roomIds: roomIds.slice(0, 1),
    })
    const reader = await stream(guest.writeKey)
    const [, state] = await reader.until(({ name }) => name === 'state')
    expect(state?.data.rooms.map(({ id }: { id: string }) => id)).toEqual(roomIds.slice(0, 1))
    await removeMember(second.store, world.clock, { buildingId, accountId: guest.accountId })
    const events = await reader.until(({ name }) => name === 'buildings')
    expect(events.at(-1)?.data.building_ids).toEqual([])
  })

  test('end when the key is revoked by another process, and when it expires', async () => {
    const { accountId } = world.holder
    const revoked = await keyOf(accountId)
    const expiresAt = world.clock.now() + 60_000
    const passing = { accountId, name: 'x', permission: 'read' as const, expiresAt }
    const expiring = await createKey(world.store, world.clock, passing)
    const readers = [await stream(revoked.value), await stream(expiring.value)]
    for (const reader of readers) await reader.until(({ name }) => name === 'state')
    await revokeKey(second.store, world.clock, { accountId, id: revoked.id })
    world.clock.advance(60_001)
    for (const reader of readers) while (await reader.next()) expect(reader.answer.status).toBe(200)
  })

  test('end when an app’s access token is replaced by another process, and when its grant ends with the membership', async () => {
    const { buildingId, accountId } = world.holder
    const grant = (id: string) =>
      tokensFor(world, { accountId: id, buildings: [{ id: buildingId, permission: 'read' }] })
    const replaced = await grant(accountId)
    const member = await settleMember(world.store, world.clock, {
      ...{ buildingId, email: 'former@example.org', role: 'resident' },
    })
    const left = await grant(member.accountId)
    const readers = [await stream(replaced.accessToken), await stream(left.accessToken)]
    for (const reader of readers) await reader.until(({ name }) => name === 'state')
    const { clientId } = await world.store.db
      .selectFrom('apiKeys')
      .select('clientId')
      .where('hash', '=', hashSecret(replaced.accessToken))
      .executeTakeFirstOrThrow()
    const parts = { store: second.store, clock: world.clock, quotas: NO_QUOTAS }
    await refreshGrant(parts, { clientId: clientId ?? '', refreshToken: replaced.refreshToken })
    await removeMember(second.store, world.clock, { buildingId, accountId: member.accountId })
    for (const reader of readers) while (await reader.next()) expect(reader.answer.status).toBe(200)
  })

  test('are open so many times for one key; others do not wait for them', async () => {
    const key = await keyOf(world.stranger.accountId)
    const many = await Promise.all(Array.from({ length: MOST_WAITS }, () => stream(key.value)))
    expect(new Set(many.map(({ answer }) => answer.status))).toEqual(new Set([200]))
    const refused = await stream(key.value)
    expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([429, '5'])
    const owner = await stream()
    await owner.until(({ name }) => name === 'state')
    await target(22.5)
    await owner.until(has(22.5))
    many[0]?.close()
    await expect.poll(async () => (await stream(key.value)).answer.status).toBe(200)
  })

  test('end with the service, also where the reader has stopped reading', async () => {
    const app = await appOn(world.store, world.clock)
    const address = await app.listen(LISTENING)
    const reader = await stream(world.holder.readKey, { at: address })
    await reader.until(({ name }) => name === 'state')
    const { port, hostname } = new URL(address)
    const idle = connect(Number(port), hostname).pause()
    idle.write(
      `GET /v1/events HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nx-api-key: ${world.holder.readKey}\r\n\r\n`,
    )
    await expect.poll(() => app.server.listening && idle.bytesWritten > 0).toBe(true)
    await app.close()
    expect(await reader.next()).toBe(undefined)
    idle.destroy()
  })
})

test('an ended answer that its reader does not take is cut off', async () => {
  const server = createServer((_request, response) => {
    response.write('x'.repeat(64 * 1024 * 1024))
    response.end()
    lingerBriefly(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const cut = Promise.withResolvers<void>()
  server.on('connection', (connection) => connection.once('close', cut.resolve))
  await cut.promise
  socket.destroy()
  server.close()
})
