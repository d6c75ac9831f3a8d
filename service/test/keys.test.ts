import { DAY_MS, Key, matches, timestampOf } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { furnish, STRANGERS_HOUSE } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../src/base/secret.ts'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import {
  type ApiKey,
  createKey,
  forgetEndedKeys,
  listKeys,
  MOST_ENDED_KEYS,
  revokeKey,
} from '../src/people/keys/keys.ts'

describe.each(ENGINES)('keys on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  const makeKey = (expiresAt: number | null = null) =>
    createKey(world.store, world.clock, {
      accountId: world.holder.accountId,
      name: 'Home Assistant',
      permission: 'write',
      expiresAt,
    })

  test('a key may be limited to some buildings of its holder, and reaches no other', async () => {
    const { store, clock, holder } = world
    const { accountId } = holder
    const second = await furnish(store, clock, accountId, { ...STRANGERS_HOUSE, name: 'Cabin' })
    const key = { accountId, name: 'Cabin only', permission: 'write' as const, expiresAt: null }
    const { value } = await createKey(store, clock, { ...key, buildingIds: [second.buildingId] })
    const reached = async (path: string) => (await world.get(path, { key: value })).json
    expect((await reached('/v1/buildings')).map(({ id }: { id: string }) => id)).toEqual([second.buildingId])
    expect((await reached('/v1/changes')).buildings.map(({ id }: { id: string }) => id)).toEqual([second.buildingId])
    expect((await world.get(world.roomsPath, { key: value })).status).toBe(404)
    expect((await world.get(`/v1/buildings/${second.buildingId}/rooms`, { key: value })).status).toBe(200)
    expect((await world.patch({ target_temperature: 22 }, { key: value })).status).toBe(404)
    const foreign = createKey(store, clock, { ...key, buildingIds: [world.stranger.buildingId] })
    await expect(foreign).rejects.toThrow('No such building')
    await removeBuilding(store, second.buildingId)
    expect(await reached('/v1/buildings')).toEqual([])
  })

  const stored = async (id: string) =>
    (await listKeys(world.store, world.holder.accountId)).find((key) => key.id === id)

  test('GET /v1/key names the installation and the version in its headers, the same under every key', async () => {
    const [own, strangers] = await Promise.all(
      [world.holder.readKey, world.stranger.readKey].map(async (key) => (await world.get('/v1/key', { key })).headers),
    )
    expect(own?.['hypocaust-installation']).toMatch(/^[0-9a-f-]{36}$/)
    expect(strangers?.['hypocaust-installation']).toBe(own?.['hypocaust-installation'])
    expect(own?.['hypocaust-version']).toEqual(expect.any(String))
  })

  test('GET /v1/key tells the id, name, permission and expiry of the key in use, and not its value', async () => {
    const expiresAt = world.clock.now() + MINUTE_MS
    const { id, value } = await makeKey(expiresAt)
    const { status, json, text } = await world.get('/v1/key', { key: value })
    expect(status).toBe(200)
    expect(json).toEqual({ id, name: 'Home Assistant', permission: 'write', expires_at: timestampOf(expiresAt) })
    expect(matches(Key, json)).toBe(true)
    expect(text).not.toContain(value)
  })

  test('a key without an expiry says null', async () => {
    expect((await world.get('/v1/key')).json).toMatchObject({ permission: 'read', expires_at: null })
  })

  test('a write key may read and write, a read key only read', async () => {
    expect((await world.get(world.roomsPath, { key: world.holder.writeKey })).status).toBe(200)
    expect((await world.patch({})).status).toBe(200)
    expect((await world.get(world.roomsPath, { key: world.holder.readKey })).status).toBe(200)
    expect((await world.patch({}, { key: world.holder.readKey })).status).toBe(403)
  })

  test('unknown, malformed, mistyped, expired and revoked keys get the very same answer', async () => {
    const expiring = await makeKey(world.clock.now() + MINUTE_MS)
    const revoked = await makeKey()
    await revokeKey(world.store, world.clock, { id: revoked.id })
    world.clock.advance(MINUTE_MS)
    const good = world.holder.readKey
    const mistyped = good.slice(0, 10) + (good[10] === 'a' ? 'b' : 'a') + good.slice(11)
    const values = [
      newSecret('hyp_'),
      'x',
      'hyp_',
      mistyped,
      expiring.value,
      revoked.value,
      newSecret('hypg_'),
      ` ${good}x`,
    ]
    const answers = await Promise.all(values.map((key) => world.get('/v1/buildings', { key })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['401 {"error":{"code":"invalid_api_key","message":"The API key is not valid."}}']),
    )
  })

  test('a revoked or expired key stays listed for so many days and is then removed; others stay', async () => {
    const [expired, revoked, usable, current] = [
      await makeKey(world.clock.now() + MINUTE_MS),
      await makeKey(),
      await makeKey(),
      await makeKey(world.clock.now() + 40 * DAY_MS),
    ]
    await revokeKey(world.store, world.clock, { id: revoked.id })
    const listed = async () =>
      (await listKeys(world.store, world.holder.accountId))
        .map(({ id }) => id)
        .filter((id) => [expired, revoked, usable, current].some((key) => key.id === id))
        .sort()
    const nowMs = world.clock.now()
    await forgetEndedKeys(world.store, nowMs + 30 * DAY_MS, 30)
    expect(await listed()).toEqual([expired.id, revoked.id, usable.id, current.id].sort())
    await forgetEndedKeys(world.store, nowMs + 30 * DAY_MS + 2 * MINUTE_MS, 30)
    expect(await listed()).toEqual([usable.id, current.id].sort())
  })

  test('of keys made and ended in a loop only so many stay listed; the usable ones stay', async () => {
    const usable = await makeKey()
    for (let n = 0; n < MOST_ENDED_KEYS; n++) await makeKey(world.clock.now())
    for (let n = 0; n < 20; n++) await revokeKey(world.store, world.clock, await makeKey())
    await makeKey()
    const isUsable = (key: ApiKey) => key.revokedAt === null && (key.expiresAt ?? Infinity) > world.clock.now()
    const listed = await listKeys(world.store, world.holder.accountId)
    expect(listed.filter((key) => !isUsable(key))).toHaveLength(MOST_ENDED_KEYS)
    expect(listed.filter(isUsable).map(({ id }) => id)).toContain(usable.id)
  })

  test('no key and an empty key are a missing key', async () => {
    for (const call of [{}, { key: '' }]) {
      const { status, json } = await world.call('GET', '/v1/buildings', call)
      expect([status, json.error.code]).toEqual([401, 'missing_api_key'])
    }
  })

  test('a key in the query is not looked at', async () => {
    const { json } = await world.call('GET', `/v1/buildings?x-api-key=${world.holder.readKey}`)
    expect(json.error.code).toBe('missing_api_key')
  })

  test('a key works until the moment it expires', async () => {
    const { value } = await makeKey(world.clock.now() + MINUTE_MS)
    world.clock.advance(MINUTE_MS - 1)
    expect((await world.get('/v1/key', { key: value })).status).toBe(200)
    world.clock.advance(1)
    expect((await world.get('/v1/key', { key: value })).status).toBe(401)
  })

  test('a key revoked through another connection is refused by the very next request', async () => {
    const { id, value } = await makeKey()
    expect((await world.get('/v1/key', { key: value })).status).toBe(200)
    const other = await world.test.openAgain()
    await revokeKey(other, world.clock, { id })
    await other.close()
    expect((await world.get('/v1/key', { key: value })).status).toBe(401)
  })

  test('a revoked key stays listed as revoked, and revoking again keeps the first time', async () => {
    const { id } = await makeKey()
    await revokeKey(world.store, world.clock, { id })
    const first = (await stored(id))?.revokedAt
    world.clock.advance(MINUTE_MS)
    expect(await revokeKey(world.store, world.clock, { id })).toBe(true)
    expect((await stored(id))?.revokedAt).toBe(first)
  })

  test('a key of another account is not revoked, nor one that does not exist', async () => {
    const { id, value } = await makeKey()
    const { accountId } = world.stranger
    expect(await revokeKey(world.store, world.clock, { id, accountId })).toBe(false)
    expect(await revokeKey(world.store, world.clock, { id: 'none' })).toBe(false)
    expect((await world.get('/v1/key', { key: value })).status).toBe(200)
  })

  test('last use is noted, and again only after five minutes', async () => {
    const { id, value } = await makeKey()
    const lastUsed = async () => (await stored(id))?.lastUsedAt
    const use = async () => {
      await world.get('/v1/key', { key: value })
      // The note is a write of its own, and nobody waits for it: some more writes give it time.
      for (let i = 0; i < 5; i++) await makeKey()
    }
    expect(await lastUsed()).toBeNull()
    await use()
    const first = world.clock.now()
    await eventually(async () => (await lastUsed()) === first)
    world.clock.advance(4 * MINUTE_MS)
    await use()
    expect(await lastUsed()).toBe(first)
    world.clock.advance(MINUTE_MS + 1)
    await use()
    await eventually(async () => (await lastUsed()) === world.clock.now())
  })

  test('the value is not stored anywhere, only its hash and a hint of prefix and last four', async () => {
    const { id, value } = await makeKey()
    const row = await world.store.db.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(row.hint).toBe(`hyp_…${value.slice(-4)}`)
    expect(JSON.stringify(row)).not.toContain(value.slice(4, 36))
  })
})
