import { alertStage, HOUR } from '@hypocaust/testing/alert-stage.ts'
import { signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { KyselyPlugin } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { choose } from '../src/people/alerts/choices.ts'
import { removeMember } from '../src/people/members/members.ts'

describe.each(ENGINES)('notifications of alerts on %s', (engine) => {
  const stage = alertStage(engine)
  const { mail, push, notifierOn, speak, lookNow, tellAll, pass, subjects, shown } = stage
  let world: World
  beforeAll(() => {
    ;({ world } = stage)
  })

  test('an unavailable building sends one mail, and one more when it is available again', async () => {
    await pass(3 * HOUR)
    expect(subjects()).toEqual([expect.stringMatching(/^Lakeside 12 has not reported since \w{3} \d\d:\d\d$/)])
    expect(mail.received[0]).toMatchObject({ to: 'ada@example.org' })
    expect(mail.received[0]?.text).toContain('Check the gateway’s power')
    expect(mail.received[0]?.html).toContain(`https://heating.example/buildings/${world.holder.buildingId}`)
    await pass(HOUR, speak)
    expect(subjects().slice(1)).toEqual(['Lakeside 12 reports again'])
    await pass(HOUR, speak)
    expect(subjects()).toHaveLength(2)
  })

  test('an alert that ends before it is due notifies nobody', async () => {
    await pass(10)
    expect(await shown()).toEqual(['building_silent'])
    await pass(HOUR, speak)
    expect(subjects()).toEqual([])
  })

  test('a sensor that comes and goes notifies the first time, and then only when it stays away for longer', async () => {
    const others = () => speak([LIVING_ROOM_SENSOR])
    await pass(70, others)
    expect(subjects()).toEqual([expect.stringContaining('Bathroom: the sensor has not reported')])
    for (let i = 0; i < 4; i++) {
      await pass(30, speak)
      await pass(70, others)
    }
    expect(subjects()).toEqual([
      expect.stringContaining('the sensor has not reported'),
      'Bathroom: the sensor reports again',
    ])
    await pass(12 * HOUR, others, 30)
    expect(subjects()).toHaveLength(3)
  })

  test('an open alert can be snoozed by its owner only; when it is over it is among the past ones', async () => {
    await pass(15)
    const [ada, stranger] = [await signedIn(world), await signedIn(world, 'bob@example.org')]
    const open = async () => (await ada.call('GET', '/app/alerts')).json
    const [{ id, since }] = await open()
    const until = new Date(world.clock.now() + HOUR * MINUTE_MS).toISOString()
    const path = `/app/alerts/${id}/snooze`
    expect((await stranger.call('PUT', path, { until })).status).toBe(404)
    expect((await ada.call('PUT', path, { until: 'tomorrow' })).status).toBe(400)
    expect((await ada.call('PUT', path, { until })).status).toBe(204)
    expect(await open()).toMatchObject([{ kind: 'building_silent', snoozed_until: until }])
    await pass(70)
    expect(await open()).toMatchObject([{ kind: 'building_silent', snoozed_until: null }])
    await pass(HOUR, speak)
    expect(await open()).toEqual([])
    const past = (await ada.call('GET', '/app/alerts/past')).json
    expect(past).toMatchObject([{ id, kind: 'building_silent', building: 'Lakeside 12' }])
    expect(past[0].ended > past[0].since && past[0].since >= since).toBe(true)
    expect((await stranger.call('GET', '/app/alerts/past')).json).toEqual([])
    expect((await ada.call('PUT', path, { until })).status).toBe(404)
  })

  test('a short return within a quarter of an hour is no end', async () => {
    await pass(30)
    await pass(5, speak)
    await pass(HOUR)
    expect(subjects()).toHaveLength(1)
  })

  test('while the building is silent nothing is said of its sensors, neither that they are lost nor found', async () => {
    await pass(70, () => speak([LIVING_ROOM_SENSOR]))
    await pass(5 * HOUR)
    expect(subjects().map((subject) => subject.replace(/ since.*/, ''))).toEqual([
      'Bathroom: the sensor has not reported',
      'Lakeside 12 has not reported',
    ])
    await pass(HOUR, speak)
    expect(subjects().slice(2).sort()).toEqual(['Bathroom: the sensor reports again', 'Lakeside 12 reports again'])
  })

  test('two processes that see and tell the same at once tell it once', async () => {
    const otherStore = await world.test.openAgain()
    const other = notifierOn(otherStore)
    const together = async () => {
      await Promise.all([lookNow(), lookNow(otherStore)])
      await Promise.all([stage.notifier.notifySome(), other.notifySome(), stage.notifier.notifySome()])
    }
    try {
      for (let i = 0; i < 8; i++) {
        world.clock.advance(5 * MINUTE_MS)
        await together()
      }
      expect(subjects()).toHaveLength(1)
      for (let i = 0; i < 8; i++) {
        world.clock.advance(5 * MINUTE_MS)
        await speak()
        await together()
      }
      expect(subjects()).toHaveLength(2)
    } finally {
      await otherStore.close()
    }
  })

  test('a process that saw what is due, and is held up until another has sent it, does not send it again', async () => {
    await pass(15)
    await world.store.db.updateTable('tellings').set({ dueAt: world.clock.now() }).execute()
    const [seen, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        seen.resolve()
        await held.promise
        return result
      },
    }
    const notifying = notifierOn({ ...world.store, db: world.store.db.withPlugin(holding) }).notifySome()
    await seen.promise
    await stage.notifier.notifySome()
    held.resolve()
    await notifying
    expect(subjects()).toHaveLength(1)
  })

  test('a mail server that is away is tried again, less and less often, and another process can take over', async () => {
    mail.isBusy = true
    await pass(40)
    const attempts = async () =>
      (await world.store.db.selectFrom('tellings').select('attempts').executeTakeFirstOrThrow()).attempts
    const before = await attempts()
    expect(before).toBeGreaterThan(1)
    await pass(2 * HOUR)
    expect((await attempts()) - before).toBeLessThan(5)
    mail.isBusy = false
    stage.restart()
    await pass(2 * HOUR)
    expect(subjects()).toHaveLength(1)
  })

  test('a process that dies while notifying leaves it to another', async () => {
    await pass(15)
    await world.store.db
      .updateTable('tellings')
      .set({ dueAt: world.clock.now() + MINUTE_MS, attempts: 1 })
      .execute()
    await tellAll()
    expect(subjects()).toEqual([])
    await pass(10)
    expect(subjects()).toHaveLength(1)
  })

  test('muted kinds are not sent, nor anything by mail when mail is switched off', async () => {
    await choose(world.store, world.holder.accountId, { mail: true, language: 'de', muted: ['building_silent'] })
    await pass(HOUR)
    expect(subjects()).toEqual([])
    await pass(HOUR, speak)
    await pass(70, () => speak([LIVING_ROOM_SENSOR]))
    expect(subjects()).toEqual([expect.stringContaining('Bathroom: Der Sensor meldet sich seit ')])
    await choose(world.store, world.holder.accountId, { mail: false, language: 'de', muted: [] })
    await pass(HOUR, speak)
    await pass(HOUR)
    expect(subjects()).toHaveLength(1)
  })

  test('a device is notified as well, in its own language; one that is gone is forgotten', async () => {
    const ada = await signedIn(world)
    const phone = push.subscribe('phone')
    expect((await ada.call('PUT', '/app/notifications/devices', { ...phone, language: 'de' })).status).toBe(200)
    await pass(HOUR)
    expect(push.received.map(({ message }) => message)).toEqual([
      {
        title: expect.stringContaining('Lakeside 12 meldet sich seit '),
        body: expect.stringContaining('Prüfe Strom'),
        path: `/buildings/${world.holder.buildingId}`,
        tag: expect.any(String),
      },
    ])
    push.status = 410
    await pass(HOUR, speak)
    expect(subjects()).toHaveLength(2)
    expect((await ada.call('GET', '/app/notifications')).json.devices).toEqual([])
    expect(
      await world.store.db.selectFrom('tellings').select('id').where('deviceId', 'is not', null).execute(),
    ).toEqual([])
  })

  test('a push service that breaks off with another protocol is tried again, and holds up nobody', async () => {
    const ada = await signedIn(world)
    await ada.call('PUT', '/app/notifications/devices', { ...push.subscribe('phone'), language: 'en' })
    push.status = 101
    await pass(HOUR)
    expect(subjects()).toHaveLength(1)
    push.status = 201
    await pass(HOUR)
    expect(push.received).toHaveLength(1)
  })

  test('an account with many notifications does not hold up those of another', async () => {
    const { store, clock, holder } = world
    await pass(30)
    const [alert] = await store.db.selectFrom('alerts').selectAll().execute()
    if (!alert) throw new Error('there is no alert')
    const member = { buildingId: holder.buildingId, email: `bob-${clock.now()}@example.org`, role: 'resident' as const }
    const bob = await settleMember(store, clock, member)
    await choose(store, bob.accountId, { mail: true, language: 'en', muted: [] })
    const due = (accountId: string, dueAt: number) => ({
      ...{ id: crypto.randomUUID(), accountId, alertId: alert.id, deviceId: null, dueAt },
      ...{ attempts: 0, beganToldAt: null, endedToldAt: null },
    })
    await store.db.deleteFrom('tellings').execute()
    await store.db
      .insertInto('tellings')
      .values([
        ...Array.from({ length: 40 }, () => due(holder.accountId, clock.now() - 1000)),
        due(bob.accountId, clock.now()),
      ])
      .execute()
    mail.received.length = 0
    await stage.notifier.notifySome()
    expect(mail.received.map(({ to }) => to)).toContain(bob.email)
    await removeMember(store, clock, { buildingId: holder.buildingId, accountId: bob.accountId })
  })

  test('a device is no longer notified once its session has ended', async () => {
    const [phone, desk] = [await signedIn(world), await signedIn(world)]
    await phone.call('PUT', '/app/notifications/devices', { ...push.subscribe('phone'), language: 'en' })
    await desk.call('PUT', '/app/notifications/devices', { ...push.subscribe('desk'), language: 'en' })
    const sessions = (await desk.call('GET', '/app/sessions')).json as { id: string; is_current: boolean }[]
    for (const { id } of sessions.filter(({ is_current }) => !is_current))
      await desk.call('DELETE', `/app/sessions/${id}`)
    await pass(HOUR)
    expect(push.received.map(({ path }) => path)).toEqual(['/desk'])
  })

  test('no account is notified of another account’s building', async () => {
    await choose(world.store, world.stranger.accountId, { mail: true, language: 'en', muted: [] })
    await pass(HOUR)
    expect(mail.received.map(({ to }) => to)).toEqual(['ada@example.org'])
  })
})
