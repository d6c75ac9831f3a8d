import type { Decision } from '@hypocaust/control'
import { signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { MailServer } from '@hypocaust/testing/mail-server.ts'
import { PushService } from '@hypocaust/testing/push-service.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { alertsOf } from '../src/people/alerts/alerts.ts'
import { choose } from '../src/people/alerts/choices.ts'
import { Teller } from '../src/people/alerts/teller.ts'
import { look, lookAtSome } from '../src/people/alerts/watch.ts'
import { PushSender } from '../src/people/notify/push/sender.ts'
import type { Store } from '../src/store/store.ts'

const HOUR = 60
const SILENT_AFTER_S = 300

describe.each(ENGINES)('alerts on %s', (engine) => {
  let world: World
  let mail: MailServer
  let push: PushService
  let teller: Teller

  beforeAll(async () => {
    mail = new MailServer()
    push = new PushService()
    await Promise.all([mail.start(), push.start()])
    const website = { ...WEBSITE, push: { network: push.network, contact: 'mailto:a@b.example' } }
    world = await openWorld(engine, { website })
  })

  afterAll(async () => {
    await world.close()
    await Promise.all([mail.stop(), push.stop()])
  })

  beforeEach(async () => {
    const { db } = world.store
    for (const table of ['alerts', 'decisions', 'valveWindows', 'pushDevices'] as const)
      await db.deleteFrom(table).execute()
    await db.updateTable('gateways').set({ commandSeq: 0, ackedSeq: null }).execute()
    mail.received.length = 0
    push.received.length = 0
    mail.isBusy = false
    push.status = 201
    teller = tellerOn(world.store)
    await choose(world.store, world.holder.accountId, { mail: true, language: 'en', muted: [] })
    await speak()
  })

  const tellerOn = (store: Store) =>
    new Teller({
      store,
      clock: world.clock,
      logger: createLogger('silent'),
      mailer: mail.mailer(),
      push: new PushSender({ store, network: push.network, contact: 'mailto:a@b.example' }),
    })

  /** Gateways and sensors are heard. */
  async function speak(sensors = [BATHROOM_SENSOR, LIVING_ROOM_SENSOR]): Promise<void> {
    for (const gatewayId of world.holder.gatewayIds) await world.heartbeat(gatewayId)
    for (const sensorId of sensors) await world.report(sensorId, { temperatureC: 20.5, batteryPct: 80 })
  }

  const lookNow = (store = world.store) =>
    look(store, [world.holder.buildingId], { nowMs: world.clock.now(), silentAfterS: SILENT_AFTER_S })

  const tellAll = async () => {
    while (await teller.tellSome());
  }

  /** Time passes in steps; what `meanwhile` says is said before each look. */
  async function pass(minutes: number, meanwhile: () => Promise<void> = async () => {}, step = 5): Promise<void> {
    for (let minute = 0; minute < minutes; minute += step) {
      world.clock.advance(step * MINUTE_MS)
      await meanwhile()
      await lookNow()
      await tellAll()
    }
  }

  const subjects = () => mail.received.map(({ subject }) => subject)
  const shown = async () =>
    (await alertsOf(world.store, world.holder, { silentAfterS: SILENT_AFTER_S }, world.clock.now())).map(
      ({ kind, room }) => (room === null ? kind : `${kind} ${room}`),
    )

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
    const other = tellerOn(otherStore)
    const together = async () => {
      await Promise.all([lookNow(), lookNow(otherStore)])
      await Promise.all([teller.tellSome(), other.tellSome(), teller.tellSome()])
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
    const telling = tellerOn({ ...world.store, db: world.store.db.withPlugin(holding) }).tellSome()
    await seen.promise
    await teller.tellSome()
    held.resolve()
    await telling
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
    teller = tellerOn(world.store)
    await pass(2 * HOUR)
    expect(subjects()).toHaveLength(1)
  })

  test('a process that dies while telling leaves it to another', async () => {
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

  test('a battery is low at 15 %, fine at 20 %, and wavering in between is no news', async () => {
    const withBattery = (batteryPct: number) => async () => {
      await speak()
      await world.report(BATHROOM_SENSOR, { temperatureC: 20, batteryPct })
    }
    await pass(30, withBattery(15))
    await pass(30, withBattery(17))
    expect(await shown()).toEqual(['battery_low Bathroom'])
    await pass(30, withBattery(14))
    expect(subjects()).toEqual(['Bathroom: the sensor’s battery is at 15\u00a0%'])
    await pass(30, withBattery(100))
    expect(subjects().slice(1)).toEqual(['Bathroom: the sensor’s battery is good again'])
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

  const bathroomDecides = (minutesAgo: number, changes: Partial<Decision>, roomId = world.bathroomId) => {
    const atMs = world.clock.now() - minutesAgo * MINUTE_MS
    const decision: Decision = {
      atMs,
      timeZone: 'Europe/Oslo',
      mode: 'heat',
      power: 1,
      share: 1,
      rung: 'measured',
      notices: [],
      caps: [],
      air: { airC: 18, ageS: 30 },
      estimate: null,
      outdoorC: -5,
      aim: { targetC: 20, lowC: 19.5, highC: 20.5, occupied: true, reason: 'target' },
      without: null,
      warmsForMs: null,
      maxFloorC: 29,
      confidence: 0.5,
      ...changes,
    }
    const row = { roomId, decidedAt: atMs, power: decision.power, targetC: 20, decision: JSON.stringify(decision) }
    return world.store.db.insertInto('decisions').values(row).execute()
  }

  /** Half hours of decisions up to now, the oldest first. */
  async function decides(hours: number, at: (hoursAgo: number) => Partial<Decision>, roomId = world.bathroomId) {
    for (let hoursAgo = hours; hoursAgo >= 0; hoursAgo -= 0.5)
      await bathroomDecides(hoursAgo * 60, at(hoursAgo), roomId)
  }

  test('a room that full heat does not warm is reported with its temperature', async () => {
    await decides(10, () => ({}))
    await speak()
    expect(await shown()).toEqual(['target_unreachable Bathroom'])
    await lookNow()
    await tellAll()
    expect(subjects()).toEqual(['Bathroom: does not get warm enough, 18.0° at full heat'])
  })

  test('a floor held back by its limit counts as all the heat there is; a holder who has just raised the target does not', async () => {
    await decides(10, () => ({ power: 0.4, caps: ['floor-limit'] }))
    expect(await shown()).toEqual(['target_unreachable Bathroom'])
    await world.store.db.deleteFrom('decisions').execute()
    const before = { targetC: 18, lowC: 17.5, highC: 18.5, occupied: true, reason: 'target' as const }
    await decides(10, (hoursAgo) => (hoursAgo > 5 ? { aim: before } : {}))
    expect(await shown()).toEqual([])
  })

  test('a room that is switched off has no target to reach, and no alert is reported as over', async () => {
    await decides(10, () => ({}))
    await speak()
    await lookNow()
    await tellAll()
    await pass(5, async () => {
      await speak()
      await bathroomDecides(0, { mode: 'off', power: 0 })
    })
    await pass(HOUR, speak)
    expect(subjects()).toHaveLength(1)
    expect(await shown()).toEqual([])
  })

  const cooling = (hoursAgo: number): Partial<Decision> => ({
    notices: ['boiler-off'],
    air: { airC: 17 + 0.4 * hoursAgo, ageS: 30 },
    aim: { targetC: 23, lowC: 22.5, highC: 23.5, occupied: true, reason: 'target' },
  })

  test('heat that arrives in no room is one alert about its source; in one room, about its valve', async () => {
    await decides(8, cooling)
    await decides(8, () => ({ air: { airC: 20, ageS: 30 } }), world.holder.roomIds[1])
    expect(await shown()).toEqual(['valve_without_effect Bathroom'])
    await world.store.db.deleteFrom('decisions').execute()
    await decides(8, cooling)
    await decides(8, cooling, world.holder.roomIds[1])
    expect(await shown()).toEqual(['heat_source_failed'])
    await lookNow()
    await tellAll()
    expect(subjects()).toEqual(['Lakeside 12: heat is requested in several rooms but arrives in none'])
  })

  test('while the rooms recover one after the other, the last one’s valve is not blamed', async () => {
    for (const roomId of world.holder.roomIds) await decides(8, cooling, roomId)
    await lookNow()
    await world.store.db.deleteFrom('decisions').where('roomId', '=', world.bathroomId).execute()
    await decides(1, () => ({ notices: [] }))
    await lookNow()
    expect(await shown()).toEqual(['heat_source_failed'])
  })

  test('a gateway that reports but carries out no command is an alert, one that obeys is not', async () => {
    const { db } = world.store
    const [cellar] = world.holder.gatewayIds as [string]
    await pass(4 * HOUR, speak, 30)
    await db.updateTable('gateways').set({ commandSeq: 9, ackedSeq: 2 }).where('id', '=', cellar).execute()
    expect(await shown()).toEqual(['gateway_not_following'])
    const window = { gatewayId: cellar, channel: 1, windowS: 1800, openS: 900 }
    const startedAt = world.clock.now() - 40 * MINUTE_MS
    await db
      .insertInto('valveWindows')
      .values({ ...window, startedAt, source: 'fallback' })
      .execute()
    expect(await shown()).toEqual(['gateway_not_following'])
    await db
      .insertInto('valveWindows')
      .values({ ...window, startedAt, source: 'command' })
      .execute()
    expect(await shown()).toEqual([])
    await db.updateTable('gateways').set({ ackedSeq: 9 }).where('id', '=', cellar).execute()
    expect(await shown()).toEqual([])
  })

  test('a valve whose relay does not answer, and one that stays on, are alerts of their own', async () => {
    const { db } = world.store
    const valves = await db.selectFrom('valves').selectAll().execute()
    const [first] = valves
    const report = (state: 'ok' | 'silent' | 'contradicts', stuck: 'open' | 'closed' | null = null) => {
      const relay = { channel: first?.channel, state, auto_off: 'proven', ...(stuck && { stuck }) }
      return db
        .updateTable('gateways')
        .set({ relayReport: JSON.stringify({ channels: [relay] }) })
        .where('id', '=', first?.gatewayId ?? '')
        .execute()
    }
    const room = await db
      .selectFrom('rooms')
      .select('name')
      .where('id', '=', first?.roomId ?? '')
      .executeTakeFirst()
    await report('silent')
    await pass(5, speak)
    expect(subjects()).toEqual([`The valve of ${room?.name} does not answer`])
    await report('contradicts', 'open')
    await pass(30, speak)
    expect(subjects().slice(1)).toEqual([
      `The valve of ${room?.name} stays on`,
      `The valve of ${room?.name} answers again`,
    ])
    expect(await shown()).toEqual([`valve_stays_on ${room?.name}`])
    await report('ok')
    await pass(30, speak)
    expect(subjects().at(-1)).toBe(`The valve of ${room?.name} follows its commands again`)
    await db.updateTable('gateways').set({ relayReport: null }).execute()
  })

  test('every building has its turn, and not again within the minute', async () => {
    const parts = { store: world.store, clock: world.clock, silentAfterS: SILENT_AFTER_S }
    expect(await lookAtSome(parts)).toBe(true)
    expect(await lookAtSome(parts)).toBe(false)
    world.clock.advance(10 * MINUTE_MS)
    expect(await lookAtSome(parts)).toBe(true)
    expect(
      (await world.store.db.selectFrom('alerts').select('subject').execute()).map(({ subject }) => subject),
    ).toEqual([`building_silent ${world.holder.buildingId}`])
  })

  test('no account is notified of another account’s building', async () => {
    await choose(world.store, world.stranger.accountId, { mail: true, language: 'en', muted: [] })
    await pass(HOUR)
    expect(mail.received.map(({ to }) => to)).toEqual(['ada@example.org'])
  })
})
