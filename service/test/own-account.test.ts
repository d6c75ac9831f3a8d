import { HOST, openSite, PASSWORD, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findAccount } from '../src/people/accounts/accounts.ts'

describe.each(ENGINES)('what a person may do with the own account on %s', (engine) => {
  let world: World
  beforeEach(async () => {
    world = await openSite(engine)
  })
  afterEach(() => world.close())

  async function archiveOf(email?: string): Promise<Record<string, string>> {
    const { cookie } = await signedIn(world, email)
    const answer = await world.app.inject({ url: '/app/account/archive', headers: { host: HOST, cookie } })
    expect(answer.headers['content-type']).toBe('application/zip')
    const files = Object.entries(unzipSync(answer.rawPayload))
    return Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes)]))
  }

  const settle = (email: string, role: 'guest' | 'owner') =>
    settleMember(world.store, world.clock, {
      buildingId: world.holder.buildingId,
      email,
      role,
      roomIds: [world.bathroomId],
    })

  test('the archive has the account, its buildings, and every reading, also where there are more than one part holds', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 20.5 })
    const sensor = await world.store.db
      .selectFrom('sensors')
      .select(['id', 'buildingId'])
      .where('address', '=', BATHROOM_SENSOR)
      .where('buildingId', '=', world.holder.buildingId)
      .executeTakeFirstOrThrow()
    const at = { buildingId: sensor.buildingId, sensorId: sensor.id, measuredAt: world.clock.now() }
    await world.store.db
      .insertInto('readings')
      .values({ ...at, temperatureC: 20.5, humidityPct: null })
      .execute()
    const minutes = Array.from({ length: 4001 }, (_, i) => 60_000 * (i + 1))
    for (let i = 0; i < minutes.length; i += 500)
      await world.store.db
        .insertInto('readingsFiveMinute')
        .values(
          minutes.slice(i, i + 500).map((startsAt) => ({
            ...{ sensorId: sensor.id, startsAt, count: 1, meanC: 20, minC: 20, maxC: 20 },
            ...{ humidityCount: 0, humidityPct: null },
          })),
        )
        .execute()
    const meter = { gatewayId: world.holder.gatewayIds[0] ?? '', kind: 'heat' as const, hourAt: 3_600_000 }
    await world.store.db
      .insertInto('meterReadings')
      .values({ ...meter, readAt: 3_660_000, kwh: 1234.5 })
      .execute()
    const { buildingId } = world.holder
    const calendar = { id: crypto.randomUUID(), buildingId, name: 'Family', rules: '[]', dueAt: 0 }
    await world.store.db
      .insertInto('calendars')
      .values({ ...calendar, address: 'https://calendar.example.org/private-4f1c/a.ics' })
      .execute()
    await world.store.db
      .insertInto('screedRecords')
      .values({ buildingId, runId: 'first', n: 1, text: '{"supply":25}', hash: 'h' })
      .execute()
    const limit = { buildingId, promisedAt: 0, fromAt: 0, untilAt: 3_600_000, limitW: 500, roomIds: '[]' }
    await world.store.db
      .insertInto('limitRecords')
      .values({ ...limit, plannedKwh: 2, promisedKwh: 1.5, scale: 1, withdrawn: 0 })
      .execute()
    await world.patch({ target_temperature: 22 })
    const body = { feeling: 'too_cold' }
    await world.call('POST', `${world.bathroomPath}/feedback`, { key: world.holder.writeKey, body })
    const webhook = { url: 'https://receiver.example/', events: ['change'] }
    await (await signedIn(world)).call('POST', '/app/webhooks', webhook)
    const files = await archiveOf()
    const person = JSON.parse(files['account.json'] ?? '')
    expect(person.webhooks).toMatchObject([webhook])
    expect(person).toMatchObject({ email: 'ada@example.org', name: expect.any(String) })
    expect(person.buildings).toMatchObject([{ id: world.holder.buildingId, role: 'owner' }])
    const named = (end: string) => Object.entries(files).filter(([name]) => name.endsWith(end))
    const [[, building] = ['', '']] = named('/building.json')
    expect(JSON.parse(building).rooms.map(({ id }: { id: string }) => id)).toContain(world.bathroomId)
    const linesOf = (end: string) => named(end).flatMap(([, text]) => text.trim().split('\n').slice(1))
    expect(linesOf('/readings.csv').some((line) => line.includes(',20.5,'))).toBe(true)
    expect(linesOf('/five-minutes.csv')).toHaveLength(4001)
    expect(new Set(linesOf('/five-minutes.csv')).size).toBe(4001)
    expect(linesOf('/changes.csv').at(-2)).toContain('22')
    expect(named('/control.csv')).toHaveLength(world.holder.roomIds.length)
    expect(linesOf('-heat.csv')).toEqual(['1970-01-01T01:01:00.000Z,1234.5'])
    expect(named('/calendars.json')).toMatchObject([[expect.any(String), expect.stringContaining('"Family"')]])
    expect(Object.values(files).join('\n')).not.toContain('private-4f1c')
    expect(named('/screed.json')).toMatchObject([[expect.any(String), expect.stringContaining('supply')]])
    expect(linesOf('/power-limits.csv')).toEqual([
      '1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z,1970-01-01T01:00:00.000Z,500,0,2,1.5,,',
    ])
    expect(linesOf('/feedback.csv')).toMatchObject([expect.stringContaining(',too_cold,')])
  })

  test('sensors whose addresses differ at the end alone have files of their own', async () => {
    const ids = ['0e', '0f'].map((end) => `${'aa:'.repeat(15)}${end}`)
    for (const address of ids)
      await world.store.db
        .insertInto('sensors')
        .values({ id: crypto.randomUUID(), buildingId: world.holder.buildingId, address, createdAt: 0 })
        .execute()
    const files = Object.keys(await archiveOf())
    expect(files.filter((name) => name.includes('aa-aa-aa') && name.endsWith('/readings.csv'))).toHaveLength(2)
  })

  test('nothing in it opens anything, and of a building that is somebody else’s it has the role alone', async () => {
    const { email } = await settle('guest@example.org', 'guest')
    const texts = [Object.values(await archiveOf()).join('\n'), Object.values(await archiveOf(email)).join('\n')]
    const secrets = [
      ...(await world.store.db.selectFrom('apiKeys').select('hash').execute()).map(({ hash }) => hash),
      ...(await world.store.db.selectFrom('gateways').select('tokenHash').execute()).map((each) => each.tokenHash),
      world.holder.writeKey,
    ]
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
    const files = await archiveOf(email)
    expect(Object.keys(files)).toEqual(['account.json'])
    expect(JSON.parse(files['account.json'] ?? '').buildings).toMatchObject([{ role: 'guest' }])
  })

  test('the account is removed with the password alone, and what goes with it is said before', async () => {
    const browser = await signedIn(world)
    await settle('carol@example.org', 'owner')
    const before = await browser.call('GET', '/app/account/removal')
    expect(before.json.removed).toEqual([])
    expect(before.json.left).toHaveLength(1)
    expect((await browser.call('POST', '/app/account/removal', { password: 'not it at all' })).status).toBe(401)
    expect(await findAccount(world.store, 'ada@example.org')).toBeDefined()
    expect((await browser.call('POST', '/app/account/removal', { password: PASSWORD })).status).toBe(204)
    expect(await findAccount(world.store, 'ada@example.org')).toBeUndefined()
    expect(await world.store.db.selectFrom('webhooks').select('id').execute()).toEqual([])
    expect((await browser.call('GET', '/app/buildings')).status).toBe(401)
    const carol = await signedIn(world, 'carol@example.org')
    expect((await carol.call('GET', '/app/account/removal')).json.removed).toEqual(before.json.left)
  })
})
