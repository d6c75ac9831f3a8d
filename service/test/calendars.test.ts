import { type CalendarPut, type CalendarRule, DAY_MS, HOUR_MS, MINUTE_MS, timestampOf } from '@hypocaust/domain'
import { CalendarServer } from '@hypocaust/testing/calendar-server.ts'
import { logOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeBuilding } from '../src/house/buildings/manage.ts'
import { addCalendar, calendarsOf, putCalendar, removeCalendar } from '../src/house/calendars/calendars.ts'
import { calendarNetwork } from '../src/house/calendars/network.ts'
import { readFeed } from '../src/house/calendars/occurrences.ts'
import { refreshCalendars } from '../src/house/calendars/refresh.ts'
import { changeRoom, removeRoom } from '../src/house/rooms/manage.ts'
import { createKey } from '../src/people/keys/keys.ts'

const AWAY: CalendarRule = { title: 'urlaub', room_ids: null, effect: 'away', target_temperature: 16 }
const OFFICE: CalendarRule = { title: 'home office', room_ids: null, effect: 'comfort', from: '08:00', to: '17:00' }

const utc = (ms: number) => `${timestampOf(ms).replace(/[-:]|\.\d+/g, '')}`
const feed = (...events: { title: string; fromMs: number; untilMs: number }[]) =>
  [
    'BEGIN:VCALENDAR',
    ...events.flatMap(({ title, fromMs, untilMs }, i) => [
      ...[
        'BEGIN:VEVENT',
        `UID:${i}`,
        `SUMMARY:${title}`,
        `DTSTART:${utc(fromMs)}`,
        `DTEND:${utc(untilMs)}`,
        'END:VEVENT',
      ],
    ]),
    'END:VCALENDAR',
  ].join('\r\n')

describe.each(ENGINES)('calendars on %s', (engine) => {
  const house = heatedWorld(engine)
  const server = new CalendarServer()
  const logged: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  let world: World
  let writeKey: string

  beforeAll(() => server.start())
  afterAll(() => server.stop())
  beforeEach(async () => {
    ;({ world } = house)
    logged.length = 0
    server.asked.length = 0
    writeKey = await keyOf()
  })

  const keyOf = async (accountId = world.holder.accountId) =>
    (
      await createKey(world.store, world.clock, {
        ...{ accountId, name: 'control', permission: 'write', expiresAt: null, control: true },
      })
    ).value
  const parts = () => {
    const network = calendarNetwork({ privateAddresses: true })
    return { store: world.store, clock: world.clock, logger, network, random: () => 0 }
  }
  const path = (rest = '') => `/control${world.buildingPath}/calendars${rest}`
  const add = (put: Partial<CalendarPut>) =>
    addCalendar(parts(), world.holder.buildingId, { name: 'Family', rules: [AWAY], ...put })
  const named = (calendarId: string) => ({ buildingId: world.holder.buildingId, calendarId })
  const shown = async () => calendarsOf(world.store, world.holder.buildingId, world.clock.now())
  const outlook = async () => (await world.get(`${world.bathroomPath}/outlook`)).json
  const now = () => world.clock.now()
  const away = (fromH: number, untilH: number, title = 'Urlaub auf Sylt') => ({
    ...{ title, fromMs: now() + fromH * HOUR_MS, untilMs: now() + untilH * HOUR_MS },
  })
  const turn = async (afterMs = 0) => {
    world.clock.advance(afterMs)
    await refreshCalendars(parts())
    await house.control()
  }

  test('lower a room during an event and warm it for the end, which the outlook shows', async () => {
    await house.live(5, 20)
    await add({ content: feed(away(-1, 30)) })
    await house.control()
    expect(await outlook()).toMatchObject({
      ...{ setpoint: 16, reason: 'calendar', until: timestampOf(now() + 30 * HOUR_MS) },
      next: { setpoint: 20 },
    })
    const explanation = (await world.get(`${world.bathroomPath}/explanation`)).json
    expect(explanation.aim).toMatchObject({ reason: 'calendar', setpoint: 16 })
    expect((await world.bathroom()).target_temperature).toBe(20)
    // A floor that needs hours is heated before the end.
    world.clock.advance(29 * HOUR_MS)
    await house.live(30, 17)
    expect(await outlook()).toMatchObject({ setpoint: 16, reason: 'calendar' })
    expect((await world.bathroom()).power).toBeGreaterThan(0)
  })

  test('do nothing that a person does not want: an override, an absence and a set date count first', async () => {
    await add({ content: feed(away(-1, 30)) })
    await world.call('PUT', `${world.bathroomPath}/override`, {
      key: world.holder.writeKey,
      body: { target_temperature: 22, hours: 1 },
    })
    expect(await outlook()).toMatchObject({ setpoint: 22, reason: 'override' })
    await world.call('DELETE', `${world.bathroomPath}/override`, { key: world.holder.writeKey })
    expect(await outlook()).toMatchObject({ setpoint: 16, reason: 'calendar' })
    const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
    const date = timestampOf(now()).slice(0, 10)
    const programme = { monday: [{ at: '00:00', setback: 1 }], dates: [{ date, follows: 'monday' as const }] }
    await changeRoom(world.store, world.clock, scope, { programme })
    expect(await outlook()).toMatchObject({ setpoint: 19, reason: 'programme' })
    await changeRoom(world.store, world.clock, scope, { programme: null })
    await world.patch({ target_temperature: 21 })
    expect(await outlook()).toMatchObject({ setpoint: 21, reason: 'target' })
    world.clock.advance(29 * HOUR_MS)
    expect(await outlook()).toMatchObject({ setpoint: 21, reason: 'target' })
  })

  test('apply a rule to its rooms, and the first of several', async () => {
    const [, other = ''] = world.holder.roomIds
    const rules: CalendarRule[] = [
      { title: 'sylt', room_ids: [world.bathroomId.toUpperCase()], effect: 'comfort' },
      AWAY,
    ]
    await add({ content: feed(away(-1, 30)), rules })
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target' })
    expect((await world.get(`${world.roomsPath}/${other}/outlook`)).json).toMatchObject({ setpoint: 16 })
    expect((await shown())[0]?.events).toMatchObject([{ title: 'Urlaub auf Sylt', rule: 0, all_day: false }])
  })

  test('hold a room at its target on the days of an event, between two times', async () => {
    const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
    await changeRoom(world.store, world.clock, scope, { programme: { monday: [{ at: '00:00', setback: 3 }] } })
    await add({ content: feed(away(24, 25, 'Home Office')), rules: [OFFICE] })
    const { next } = await outlook()
    expect(next.setpoint).toBe(20)
    const [hour] = new Intl.DateTimeFormat('en', {
      ...{ hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Oslo' },
    })
      .format(Date.parse(next.at))
      .split(':')
    expect(hour).toBe('08')
  })

  test('are fetched when due, and not read again while the server says that nothing has changed', async () => {
    server.publish(feed(away(1, 30)), '"a"')
    await add({ address: server.url })
    expect((await outlook()).next).toMatchObject({ setpoint: 16 })
    const read = async () => world.store.db.selectFrom('calendars').selectAll().executeTakeFirstOrThrow()
    const first = await read()
    await turn(MINUTE_MS)
    expect(server.asked).toHaveLength(1)
    await turn(HOUR_MS)
    expect(server.asked.map((headers) => headers['if-none-match'])).toEqual([undefined, '"a"'])
    const second = await read()
    expect(second).toEqual({ ...first, checkedAt: now(), dueAt: second.dueAt })
    expect(second.dueAt).toBeGreaterThan(now())
  })

  test('let go of an event that is removed, and take in one that is added', async () => {
    server.publish(feed(away(-1, 30)), '"a"')
    await add({ address: server.url })
    expect(await outlook()).toMatchObject({ setpoint: 16 })
    server.publish(feed(), '"b"')
    await turn(HOUR_MS)
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target', next: null })
    expect((await world.store.db.selectFrom('buildings').select('calendarWishes').execute())[0]?.calendarWishes).toBe(
      null,
    )
  })

  test('go on counting as last read while they cannot be, and are asked for less and less often', async () => {
    server.publish(feed(away(-1, 24 * 30)), '"a"')
    await add({ address: server.url })
    server.answer = (_request, response) => response.writeHead(500).end()
    for (let hour = 0; hour < 48; hour++) await turn(HOUR_MS)
    expect(await outlook()).toMatchObject({ setpoint: 16 })
    expect((await shown())[0]).toMatchObject({ problem: 'refused', events: [{ title: 'Urlaub auf Sylt' }] })
    // After a half, 1, 2, 4, 8 and 16 hours, seen by a look every hour.
    expect(server.asked.length).toBeLessThan(10)
    server.publish(feed(), '"b"')
    await turn(DAY_MS)
    expect((await shown())[0]).toMatchObject({ problem: null, events: [] })
  })

  test('see repetitions that come into sight with time, also of a file', async () => {
    const weekly = 'BEGIN:VEVENT\nUID:w\nSUMMARY:Urlaub\nDTSTART;VALUE=DATE:20260105\nRRULE:FREQ=WEEKLY\nEND:VEVENT'
    await add({ content: `BEGIN:VCALENDAR\n${weekly}\nEND:VCALENDAR` })
    const last = async () => Date.parse((await shown())[0]?.events.at(-1)?.starts_at ?? '')
    const before = await last()
    await turn(15 * DAY_MS)
    expect(await last()).toBeGreaterThan(before)
  })

  test('have their days by the clock of the building, also after that has changed', async () => {
    const day = timestampOf(now() + 10 * DAY_MS).slice(0, 10)
    const event = `BEGIN:VEVENT\nUID:d\nSUMMARY:Urlaub\nDTSTART;VALUE=DATE:${day.replaceAll('-', '')}\nEND:VEVENT`
    await add({ content: `BEGIN:VCALENDAR\n${event}\nEND:VCALENDAR` })
    await changeBuilding(world.store, world.clock, world.holder.buildingId, { timezone: 'Asia/Tokyo' })
    await turn()
    expect((await shown())[0]?.events[0]?.starts_at).toBe(timestampOf(Date.parse(`${day}T00:00:00+09:00`)))
  })

  test('keep their address, and show nothing of it but the host: neither on an answer nor in the log', async () => {
    server.answer = (_request, response) => response.writeHead(404).end()
    const id = await add({ address: server.url })
    await putCalendar(parts(), named(id), { name: 'Renamed', rules: [] })
    expect(await shown()).toMatchObject([
      { name: 'Renamed', host: '127.0.0.1', source: 'address', problem: 'not_found' },
    ])
    server.publish(feed(), '"b"')
    await turn(DAY_MS)
    expect(await shown()).toMatchObject([{ problem: null }])
    const { text } = await world.call('GET', path(), { key: writeKey })
    const changes = JSON.stringify(await logOf(world.store, world.holder.buildingId))
    const entries = (await world.get(`/v1/log?building_id=${world.holder.buildingId}`)).text
    expect(logged.length).toBeGreaterThan(0)
    for (const said of [text, changes, entries, ...logged]) expect(said).not.toMatch(/private-4f1c|basic\.ics/)
  })

  test('are added, changed and removed with a key of the control, and that is in the change log', async () => {
    const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', at: string, body?: unknown) =>
      world.call(method, path(at), { key: writeKey, ...(body !== undefined && { body }) })
    const added = await call('POST', '', { name: ' Family ', content: feed(away(1, 2)), rules: [AWAY] })
    expect(added).toMatchObject({ status: 200, json: { name: 'Family', source: 'file', host: null, rules: [AWAY] } })
    const { id } = added.json
    expect((await call('GET', '')).json).toEqual({ calendars: [added.json] })
    const changed = await call('PUT', `/${id}`, { name: 'All', rules: [] })
    expect(changed.json).toMatchObject({ id, name: 'All', events: [{ rule: null }] })
    expect((await call('DELETE', `/${id}`)).text).toBe('null')
    expect((await call('DELETE', `/${id}`)).json.error.code).toBe('not_found')
    expect((await call('PUT', `/${id}`, { name: 'All', rules: [] })).json.error.code).toBe('not_found')
    expect((await call('GET', '')).json).toEqual({ calendars: [] })
    const entries = (await logOf(world.store, world.holder.buildingId)).filter(({ field }) => field === 'calendar')
    expect(entries.map(({ subject }) => subject).toSorted()).toEqual(['All', 'All', 'Family'])
  })

  test('can be saved as they are though a room of a rule has been removed, but with no other foreign room', async () => {
    const [, roomId = ''] = world.holder.roomIds
    const rules = [{ ...AWAY, room_ids: [roomId] }]
    const id = await add({ content: feed(away(1, 2)), rules })
    await removeRoom(world.store, world.clock, { buildingId: world.holder.buildingId, roomId })
    const put = (rules: CalendarRule[]) =>
      world.call('PUT', path(`/${id}`), { key: writeKey, body: { name: 'Family', rules } })
    const [shownOne] = await shown()
    expect(await put(shownOne?.rules ?? [])).toMatchObject({ status: 200, json: { rules } })
    expect((await outlook()).setpoint).toBe((await world.bathroom()).target_temperature)
    const [foreign = ''] = world.stranger.roomIds
    expect((await put([{ ...AWAY, room_ids: [foreign] }])).status).toBe(404)
  })

  test.each([
    [{ address: 'https://127.0.0.1/a.ics' }, 'address must be an https address on the internet'],
    [{}, 'either address or content'],
    [{ address: 'https://calendar.example.org/', content: 'x' }, 'either address or content'],
    [{ content: 'x', rules: [{ ...AWAY, target_temperature: undefined }] }, 'rules.0: target_temperature is needed'],
    [
      { content: 'x', rules: [{ ...AWAY, title: 'Ski\u001b[2J' }] },
      'rules.0: title must not contain control characters',
    ],
    [{ content: 'x', rules: [{ ...OFFICE, to: '07:00' }] }, 'rules.0: to must be later than from'],
    [{ content: 'x', rules: [{ ...AWAY, follows: 'sunday' }] }, 'rules.0: follows is needed with the effect day'],
    [{ content: 'x', rules: [AWAY], more: 1 }, 'more'],
  ])('%j is refused with a reason', async (body, about) => {
    const { status, json } = await world.call('POST', path(), {
      key: writeKey,
      body: { name: 'x', rules: [], ...body },
    })
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(about)])
    expect(await shown()).toEqual([])
  })

  test('are refused with their own limit where the body is too large', async () => {
    const { status, json } = await world.call('POST', path(), { key: writeKey, body: ' '.repeat(6_100_000) })
    expect([status, json.error.message]).toEqual([413, 'The body is larger than 5923 KiB.'])
  })

  test('are not for guests and installers, and those of a stranger do not exist', async () => {
    const { store, clock, holder } = world
    for (const role of ['guest', 'installer'] as const) {
      const { accountId } = await settleMember(store, clock, {
        ...{ buildingId: holder.buildingId, email: `${role}@example.org`, role },
      })
      const { status } = await world.call('GET', path(), { key: await keyOf(accountId) })
      expect(status).toBe(403)
    }
    expect((await world.call('GET', path(), { key: await keyOf(world.stranger.accountId) })).status).toBe(404)
    const foreign = { name: 'x', content: 'x', rules: [{ ...AWAY, room_ids: [world.stranger.roomIds[0]] }] }
    expect((await world.call('POST', path(), { key: writeKey, body: foreign })).status).toBe(404)
  })

  test('are at most eight, and are read anew only so often', async () => {
    const post = () => world.call('POST', path(), { key: writeKey, body: { name: 'x', content: feed(), rules: [] } })
    for (let n = 0; n < 8; n++) expect((await post()).status).toBe(200)
    expect((await post()).json.error.message).toBe('A building can have at most 8 calendars.')
    const statuses = []
    for (let n = 0; n < 12; n++) statuses.push((await post()).status)
    expect(statuses.at(-1)).toBe(429)
  })

  test('are removed with what they asked for, and with their building', async () => {
    const id = await add({ content: feed(away(-1, 30)) })
    await removeCalendar(parts(), named(id))
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target' })
  })

  test('show the programme of a room as a calendar that other programs read', async () => {
    const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
    const day = [
      { at: '06:00', setback: 0 },
      { at: '22:00', setback: 3 },
    ]
    await changeRoom(world.store, world.clock, scope, { programme: { monday: day, tuesday: day } })
    await add({ content: feed(away(48, 96)) })
    const get = () => world.call('GET', `/control${world.bathroomPath}/programme/calendar`, { key: writeKey })
    const { content } = (await get()).json
    const reading = readFeed(content, { timeZone: 'UTC', nowMs: now() })
    const titles = reading.ok ? reading.occurrences.map(({ title }) => title) : []
    expect(new Set(titles)).toEqual(new Set(['Bathroom 20.0 °C', 'Bathroom 17.0 °C', 'Bathroom 16.0 °C']))
    await world.call('PUT', `${world.bathroomPath}/override`, {
      ...{ key: world.holder.writeKey, body: { target_temperature: 25, hours: 3 } },
    })
    expect((await get()).json.content).not.toContain('25.0')
  })
})
