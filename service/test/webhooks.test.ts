import { DAY_MS, HOUR_MS, MINUTE_MS, MOST_WEBHOOKS } from '@hypocaust/domain'
import { type Browser, openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { isSignedBy, WebhookReceiver } from '@hypocaust/testing/webhook-receiver.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { forgetChanges } from '../src/house/change-log/forget.ts'
import { correctFutureTimestamps } from '../src/house/future-timestamps.ts'
import { checkBuildings } from '../src/people/alerts/watch.ts'
import { removeMember } from '../src/people/members/members.ts'
import { Deliveries } from '../src/people/webhooks/deliver.ts'
import { gatherChanges } from '../src/people/webhooks/gather.ts'
import { webhookNetwork } from '../src/people/webhooks/network.ts'
import { WebhookSender } from '../src/people/webhooks/sender.ts'
import { addWebhook, forgetDeliveries } from '../src/people/webhooks/webhooks.ts'

const ALL = ['alert', 'gateway', 'change', 'away', 'override']
const SILENT_AFTER_S = 300
const HALL = { name: 'Hall', floor_type: 'screed', sensor_id: 'a4:c1:38:5e:01:02', valves: [] }

describe.each(ENGINES)('webhooks on %s', (engine) => {
  let world: World
  let ada: Browser
  const receiver = new WebhookReceiver()
  const network = webhookNetwork({ privateAddresses: true })
  const sender = new WebhookSender({ network, authSecret: WEBSITE.authSecret })

  beforeAll(async () => {
    await receiver.start()
    world = await openSite(engine, { website: { ...WEBSITE, webhookNetwork: network } })
  })
  afterAll(async () => {
    await world.close()
    await receiver.stop()
  })
  beforeEach(async () => {
    world.clock.advance(HOUR_MS)
    await world.reset()
    await world.gatewaysReport()
    await look()
    receiver.received.length = 0
    receiver.answer = () => 204
    ada = await signedIn(world)
  })
  afterEach(async () => {
    await world.store.db.deleteFrom('webhooks').execute()
    await world.store.db.deleteFrom('alerts').execute()
  })

  const add = async (browser = ada, events = ALL) =>
    (await browser.call('POST', '/app/webhooks', { url: receiver.url, events })).json

  /** One turn of what the service does again and again. */
  async function deliver(): Promise<void> {
    const { store, clock } = world
    const deliveries = new Deliveries({ store, clock, logger: createLogger('silent'), sender })
    while (await gatherChanges(store, clock.now()));
    await deliveries.startDue(new AbortController().signal)
    await deliveries.settled()
  }

  const look = () =>
    checkBuildings(world.store, [world.holder.buildingId], { nowMs: world.clock.now(), silentAfterS: SILENT_AFTER_S })

  const targets = () => receiver.taken.map(({ message }) => message.data.after)
  const types = () => receiver.taken.map(({ message }) => message.type)
  const deliveriesOf = async ({ id }: { id: string }) =>
    (await ada.call('GET', `/app/webhooks/${id}/deliveries`)).json as { state: string; type: string; status: number }[]

  test('the secret is shown once, signs every message, and is not stored', async () => {
    const { secret, ...webhook } = await add()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await ada.call('GET', '/app/webhooks')).json).toEqual([webhook])
    await world.patch({ target_temperature: 23 })
    await deliver()
    const [got] = receiver.received
    expect(got && isSignedBy(secret, got)).toBe(true)
    expect(got && isSignedBy((await add()).secret, got)).toBe(false)
    expect(Math.abs(Number(got?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300)
    expect(got?.headers['content-type']).toBe('application/json')
    const rows = await world.store.db.selectFrom('webhooks').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length))
  })

  test('the end of an alert is sent where its room is removed', async () => {
    await add()
    const { id: roomId } = (await ada.call('POST', `/app/buildings/${world.holder.buildingId}/rooms`, HALL)).json
    const subject = `battery_low ${roomId}`
    const alert = { kind: 'battery_low', building_id: world.holder.buildingId, room_id: roomId, value: 5 }
    await world.store.db
      .insertInto('alerts')
      .values({
        id: 'of-the-hall',
        buildingId: world.holder.buildingId,
        roomId,
        subject,
        openSubject: subject,
        alert: JSON.stringify(alert),
        beganAt: world.clock.now(),
      })
      .execute()
    await ada.call('DELETE', `/app/rooms/${roomId}`)
    await deliver()
    const ended = receiver.taken.filter(({ message }) => message.type === 'alert.ended')
    expect(ended.map(({ message }) => message.data)).toMatchObject([{ id: 'of-the-hall', room_id: roomId }])
  })

  test('a change is sent as /v1/log shows it', async () => {
    await add()
    await world.patch({ target_temperature: 22.5 })
    await deliver()
    const [entry] = (await world.get(`/v1/log?building_id=${world.holder.buildingId}`)).json.entries
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]?.message).toEqual({ type: 'setting.changed', timestamp: entry.at, data: entry })
    expect(entry).toMatchObject({ field: 'target_temperature', after: 22.5 })
  })

  test('what happened before the webhook was made is not sent', async () => {
    await world.patch({ target_temperature: 21.5 })
    await add()
    await deliver()
    expect(receiver.received).toEqual([])
  })

  test('absences and overrides have events of their own, and only what was chosen is sent', async () => {
    await add(ada, ['away', 'override'])
    const until = new Date(world.clock.now() + HOUR_MS).toISOString()
    const key = world.holder.writeKey
    await world.patch({ target_temperature: 21.5 })
    await world.call('PUT', `${world.bathroomPath}/override`, { key, body: { target_temperature: 22, until } })
    await world.call('PUT', `${world.buildingPath}/away`, { key, body: { target_temperature: 15, until } })
    await world.call('DELETE', `${world.buildingPath}/away`, { key })
    await deliver()
    expect(types()).toEqual(['override.changed', 'away.changed', 'away.changed'])
    expect(receiver.received[1]?.message.data.after).toMatchObject({ target_temperature: 15 })
  })

  test('settings that /v1 does not show are not sent', async () => {
    await add()
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { comfort_band: 0.9 })
    await deliver()
    expect(receiver.received).toEqual([])
  })

  test('an alert is sent when it begins and when it has ended, and an unavailable building by its own name', async () => {
    await add()
    await world.report('a4:c1:38:5e:01:02', { temperatureC: 20, batteryPct: 5 })
    await look()
    await world.report('a4:c1:38:5e:01:02', { temperatureC: 20, batteryPct: 90 })
    for (let i = 0; i < 5; i++) {
      world.clock.advance(5 * MINUTE_MS)
      await world.gatewaysReport()
      await look()
    }
    await deliver()
    const battery = receiver.taken.filter(({ message }) => message.data.kind === 'battery_low')
    expect(battery.map(({ message }) => message.type)).toEqual(['alert.began', 'alert.ended'])
    expect(battery[0]?.message.data).toMatchObject({ room: 'Bathroom', value: 5, ended_at: null })
    expect(battery[1]?.message.data).toMatchObject({ id: battery[0]?.message.data.id, ended_at: expect.any(String) })
    receiver.received.length = 0
    world.clock.advance(10 * MINUTE_MS)
    await look()
    await deliver()
    await world.gatewaysReport()
    await look()
    world.clock.advance(16 * MINUTE_MS)
    await world.gatewaysReport()
    await look()
    await deliver()
    const lost = receiver.taken.filter(({ message }) => message.data.kind === 'building_silent')
    expect(lost.map(({ message }) => message.type)).toEqual(['gateway.lost', 'gateway.restored'])
  })

  test('a message that fails is tried again with the same id, and the later ones wait for it', async () => {
    const webhook = await add(ada, ['change'])
    receiver.answer = () => 500
    for (const target of [21, 22, 23]) await world.patch({ target_temperature: target })
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect((await ada.call('GET', '/app/webhooks')).json).toMatchObject([
      { waiting: 3, retry_at: new Date(world.clock.now() + 5000).toISOString() },
    ])
    await deliver()
    expect(receiver.received).toHaveLength(1)
    world.clock.advance(5000)
    receiver.answer = () => 200
    await deliver()
    expect(targets()).toEqual([21, 22, 23])
    expect(receiver.received[0]?.id).toBe(receiver.received[1]?.id)
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body)
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(3)
    expect(await deliveriesOf(webhook)).toMatchObject([
      { state: 'delivered', attempts: 1, status: 200 },
      { state: 'delivered', attempts: 1, status: 200 },
      { state: 'delivered', attempts: 2, status: 200 },
    ])
    expect((await ada.call('GET', '/app/webhooks')).json).toMatchObject([{ waiting: 0, retry_at: null }])
  })

  test('is tried for a day with growing pauses, and then the next message gets its turn', async () => {
    const webhook = await add()
    receiver.answer = () => 503
    await world.patch({ target_temperature: 21 })
    const beganMs = world.clock.now()
    const attempts: number[] = []
    while (world.clock.now() - beganMs < 2 * DAY_MS) {
      const before = receiver.received.length
      await deliver()
      if (receiver.received.length > before) attempts.push(world.clock.now() - beganMs)
      world.clock.advance(attempts.length < 3 ? 5_000 : 5 * MINUTE_MS)
    }
    const pauses = attempts.slice(1).map((at, i) => at - (attempts[i] as number))
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect(Math.max(...attempts)).toBeGreaterThanOrEqual(DAY_MS)
    expect(Math.max(...attempts)).toBeLessThan(DAY_MS + 2 * HOUR_MS)
    expect(attempts.length).toBeGreaterThan(24)
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'failed', status: 503 }])
    receiver.answer = () => 204
    await world.patch({ target_temperature: 22 })
    await deliver()
    expect(targets()).toEqual([22])
  })

  test('after a clock that was ahead is put right, a failed message is tried again at once, and for a day', async () => {
    const webhook = await add()
    receiver.answer = () => 503
    world.clock.step(30 * DAY_MS)
    await world.patch({ target_temperature: 21 })
    await deliver()
    world.clock.step(-30 * DAY_MS)
    await correctFutureTimestamps(world.store, world.clock.now())
    await deliver()
    expect(receiver.received).toHaveLength(2)
    world.clock.advance(DAY_MS + MINUTE_MS)
    await deliver()
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'failed', attempts: 3 }])
    await world.store.db.deleteFrom('changeLog').execute()
  })

  test('a receiver that answers 410 is sent nothing more', async () => {
    const webhook = await add()
    receiver.answer = () => 410
    for (const target of [21, 22]) await world.patch({ target_temperature: target })
    await deliver()
    await world.patch({ target_temperature: 23 })
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect((await ada.call('GET', '/app/webhooks')).json).toMatchObject([{ disabled: expect.any(String), waiting: 0 }])
    expect((await deliveriesOf(webhook)).map(({ state }) => state)).toEqual(['withdrawn', 'failed'])
  })

  test('redirects are not followed', async () => {
    await add()
    receiver.answer = () => 302
    await world.patch({ target_temperature: 21 })
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect(receiver.taken).toEqual([])
  })

  test('a member who has left or may see less gets nothing that was not delivered yet', async () => {
    const { store, clock, holder } = world
    const bob = await settleMember(store, clock, {
      buildingId: holder.buildingId,
      email: `bob-${clock.now()}@example.org`,
      role: 'resident',
    })
    const browser = await signedIn(world, bob.email)
    const webhook = await add(browser)
    const role = (to: 'guest' | 'resident') =>
      store.db
        .updateTable('members')
        .set({ role: to, rooms: to === 'guest' ? '[]' : null })
        .where('accountId', '=', bob.accountId)
        .execute()
    const states = async () =>
      (await browser.call('GET', `/app/webhooks/${webhook.id}/deliveries`)).json.map(
        ({ state }: { state: string }) => state,
      )
    await world.patch({ target_temperature: 21 })
    await gatherChanges(store, clock.now())
    await role('guest')
    await world.patch({ target_temperature: 22 })
    await deliver()
    expect(receiver.received).toEqual([])
    expect(await states()).toEqual(['withdrawn'])
    await role('resident')
    await world.patch({ target_temperature: 23 })
    await gatherChanges(store, clock.now())
    await removeMember(store, clock, { buildingId: holder.buildingId, accountId: bob.accountId })
    await deliver()
    await world.patch({ target_temperature: 24 })
    await deliver()
    expect(receiver.received).toEqual([])
    const row = { buildingId: holder.buildingId, accountId: bob.accountId, rooms: null, endsAt: null }
    clock.advance(1000)
    await store.db
      .insertInto('members')
      .values({ ...row, role: 'resident', createdAt: clock.now() })
      .execute()
    await world.patch({ target_temperature: 25 })
    await deliver()
    expect(targets()).toEqual([25])
    await store.db.deleteFrom('members').where('accountId', '=', bob.accountId).execute()
  })

  test('of two processes that gather at the same moment, one queues each event', async () => {
    await add()
    for (const target of [21, 22, 23]) await world.patch({ target_temperature: target })
    const nowMs = world.clock.now()
    await Promise.all([1, 2, 3, 4].map(() => gatherChanges(world.store, nowMs)))
    await deliver()
    expect(receiver.received.map(({ message }) => message.data.after)).toEqual([21, 22, 23])
  })

  test('goes on where the numbers of the change log begin anew', async () => {
    await add()
    for (const target of [21, 22, 23]) await world.patch({ target_temperature: target })
    await deliver()
    world.clock.advance(3 * DAY_MS)
    await forgetChanges(world.store, world.clock.now(), 2)
    await world.patch({ target_temperature: 24 })
    await deliver()
    expect(targets()).toEqual([21, 22, 23, 24])
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4)
  })

  test('a test is sent at once, past what waits, and is listed', async () => {
    const webhook = await add()
    receiver.answer = ({ message }) => (message.type === 'webhook.test' ? 204 : 500)
    await world.patch({ target_temperature: 21 })
    await deliver()
    const path = `/app/webhooks/${webhook.id}/test`
    expect((await ada.call('POST', path)).json).toEqual({ delivered: true, status: 204, problem: null })
    expect(receiver.taken[0] && isSignedBy(webhook.secret, receiver.taken[0])).toBe(true)
    expect(await deliveriesOf(webhook)).toMatchObject([
      { type: 'webhook.test', state: 'delivered', building: null },
      { type: 'setting.changed', state: 'waiting', building: 'Lakeside 12' },
    ])
    receiver.answer = () => 400
    expect((await ada.call('POST', path)).json).toEqual({ delivered: false, status: 400, problem: null })
    receiver.answer = () => 204
    world.clock.advance(MINUTE_MS)
    await deliver()
    await world.patch({ target_temperature: 22 })
    await deliver()
    expect(targets()).toEqual([undefined, 21, 22])
    let answer = await ada.call('POST', path)
    for (let i = 0; i < 12 && answer.status === 200; i++) answer = await ada.call('POST', path)
    expect(answer.status).toBe(429)
  })

  test('belong to one account, which has ten at most', async () => {
    const webhook = await add()
    const stranger = await signedIn(world, 'bob@example.org')
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const)
      expect((await stranger.call(method, `/app/webhooks/${webhook.id}${path}`)).status).toBe(404)
    expect((await stranger.call('GET', '/app/webhooks')).json).toEqual([])
    for (let i = 0; i < 9; i++) await add()
    const refused = await ada.call('POST', '/app/webhooks', { url: receiver.url, events: ALL })
    expect(refused.json).toMatchObject({ error: { code: 'quota_reached' } })
    expect((await ada.call('DELETE', `/app/webhooks/${webhook.id}`)).status).toBe(204)
    expect((await ada.call('GET', '/app/webhooks')).json).toHaveLength(9)
  })

  test('slow receivers of some accounts do not hold up those of another', async () => {
    const { store, clock, holder } = world
    const accounts = Array.from({ length: 6 }, (_, i) => ({ email: `bob-${i}-${clock.now()}@example.org` }))
    const members = await Promise.all(
      accounts.map(({ email }) =>
        settleMember(store, clock, { buildingId: holder.buildingId, email, role: 'resident' }),
      ),
    )
    const [last, ...slow] = members
    const url = (path: string) => ({ url: new URL(path, receiver.url).href, events: ['change' as const] })
    for (const { accountId } of slow)
      for (let i = 0; i < MOST_WEBHOOKS; i++) await addWebhook(store, accountId, url('/slow'), clock.now())
    clock.advance(1)
    await addWebhook(store, last?.accountId ?? '', url('/quick'), clock.now())
    const stopping = new AbortController()
    const { promise: got, resolve } = Promise.withResolvers<string>()
    receiver.answer = ({ path }) => {
      if (path !== '/quick') return new Promise(() => undefined)
      resolve(path)
      return 204
    }
    await world.patch({ target_temperature: 21 })
    while (await gatherChanges(store, clock.now()));
    await store.db
      .updateTable('webhooks')
      .set({ dueAt: clock.now() })
      .where('accountId', '=', last?.accountId ?? '')
      .execute()
    const deliveries = new Deliveries({ store, clock, logger: createLogger('silent'), sender })
    await deliveries.startDue(stopping.signal)
    expect(await got).toBe('/quick')
    stopping.abort()
    await deliveries.settled()
    expect(receiver.received.filter(({ path }) => path === '/slow').length).toBeLessThanOrEqual(25)
    for (const { accountId } of members) await removeMember(store, clock, { buildingId: holder.buildingId, accountId })
  })

  test('a webhook with much to deliver lets others have their turn after a minute', async () => {
    await add()
    receiver.answer = () => {
      world.clock.advance(40_000)
      return 204
    }
    for (const target of [21, 22, 23]) await world.patch({ target_temperature: target })
    await deliver()
    expect(targets()).toEqual([21, 22])
    const { dueAt } = await world.store.db.selectFrom('webhooks').select('dueAt').executeTakeFirstOrThrow()
    expect(Number(dueAt)).toBe(world.clock.now())
    await deliver()
    expect(targets()).toEqual([21, 22, 23])
  })

  test('while a thousand messages wait, later changes wait in the log', async () => {
    const { store, clock, holder } = world
    const webhook = await add()
    await world.patch({ target_temperature: 21 })
    while (await gatherChanges(store, clock.now()));
    await store.db.updateTable('webhooks').set({ numbered: 1000 }).where('id', '=', webhook.id).execute()
    await world.patch({ target_temperature: 22 })
    const waiting = async () =>
      (await store.db.selectFrom('webhookDeliveries').select('n').where('buildingId', '=', holder.buildingId).execute())
        .length
    expect(await gatherChanges(store, clock.now())).toBe(false)
    expect(await waiting()).toBe(1)
    await deliver()
    await deliver()
    expect(targets()).toEqual([21, 22])
  })

  test('old deliveries are forgotten', async () => {
    const webhook = await add()
    await world.patch({ target_temperature: 21 })
    await deliver()
    await forgetDeliveries(world.store, world.clock.now() + 6 * DAY_MS)
    expect(await deliveriesOf(webhook)).toHaveLength(1)
    await forgetDeliveries(world.store, world.clock.now() + 8 * DAY_MS)
    expect(await deliveriesOf(webhook)).toEqual([])
  })
})
