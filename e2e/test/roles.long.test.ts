import { DAY_MS, ROLES, type Role } from '@hypocaust/domain'
import { createKey, invite } from '@hypocaust/service'
import { type Browser, HOST, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { furnish, HOUSE } from '@hypocaust/testing/houses.ts'
import { type SettledMember, settleMember } from '@hypocaust/testing/members.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Door, leastBody, ROUTES } from '../authorisation.ts'
import { INTERFACES, type Operation } from '../openapi.ts'
import { actionsOf, FIELDS, isPromised, MEMBERS_PAGE, mayUse, roleTable } from '../role-actions.ts'

let world: World
let people: Record<Role, { member: SettledMember; browser: Browser; controlKey: string }>
let sensors = 0

beforeAll(async () => {
  world = await openSite('sqlite')
  const { store, clock, holder } = world
  const entries = []
  for (const role of ROLES) {
    const email = `${role}@example.org`
    const member = await settleMember(store, clock, { buildingId: holder.buildingId, email, role })
    const key = {
      accountId: member.accountId,
      name: role,
      permission: 'write' as const,
      expiresAt: null,
      control: true,
    }
    const { value: controlKey } = await createKey(store, clock, key)
    entries.push([role, { member, browser: await signedIn(world, email), controlKey }])
  }
  people = Object.fromEntries(entries)
})
afterAll(() => world.close())

interface Made {
  ids: Record<string, string>
  otherRoomId: string
}

/** A building with all four people, made anew for every route; the guest has the first of its two rooms. */
async function ownIds(endsAt: number | null = null): Promise<Made> {
  const { store, clock, holder } = world
  const rooms = HOUSE.rooms.slice(0, 2).map((room) => {
    const number = (++sensors).toString(16).padStart(4, '0')
    return { ...room, sensor: `dd:${number.slice(0, 2)}:${number.slice(2)}` }
  })
  const house = { ...HOUSE, name: `House ${crypto.randomUUID()}`, rooms }
  const { buildingId, roomIds, gatewayIds } = await furnish(store, clock, holder.accountId, house)
  const [roomId = '', otherRoomId = ''] = roomIds
  const alertId = crypto.randomUUID()
  const contactId = 'ee:01:02'
  const createdAt = clock.now()
  const memberId = world.holder.accountId
  const scope = { buildingId, accountId: memberId }
  const recordId = crypto.randomUUID()
  const calendarId = crypto.randomUUID()
  const { entry } = await invite(store, clock, scope, { role: 'resident' })
  await store.batch([
    // A new account has claimed the invitation: only then can an owner confirm it.
    store.db.updateTable('invitations').set({ claimedBy: world.stranger.accountId }).where('id', '=', entry.id),
    store.db
      .insertInto('alerts')
      .values({ id: alertId, buildingId, roomId, subject: alertId, openSubject: alertId, alert: '{}', beganAt: 0 }),
    store.db.insertInto('screedRecords').values({
      buildingId,
      runId: recordId,
      n: 0,
      text: '{"at":"2026-01-10T08:15:03.000Z","kind":"started"}',
      hash: '',
    }),
    store.db
      .insertInto('calendars')
      .values({ id: calendarId, buildingId, name: 'Family', rules: '[]', dueAt: createdAt }),
    store.db.insertInto('contacts').values({ buildingId, id: contactId, roomId: null, isOpen: 0, measuredAt: 0 }),
    ...ROLES.map((role) =>
      store.db.insertInto('members').values({
        buildingId,
        accountId: people[role].member.accountId,
        role,
        rooms: role === 'guest' ? JSON.stringify([roomId]) : null,
        endsAt,
        createdAt,
      }),
    ),
  ])
  return {
    ids: {
      buildingId,
      roomId,
      gatewayId: gatewayIds[0] ?? '',
      alertId,
      contactId,
      recordId,
      calendarId,
      // A person sees no links but those that he or she made.
      linkId: crypto.randomUUID(),
      memberId,
      invitationId: entry.id,
      sequence: '1',
    },
    otherRoomId,
  }
}

const pathOf = (path: string, ids: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`${path}: say in this test where ${name} comes from`)
    return id
  })

async function call(role: Role, door: Door, method: string, url: string, body?: unknown) {
  const { member, browser, controlKey } = people[role]
  const credentials = {
    v1: { 'x-api-key': member.writeKey },
    control: { 'x-api-key': controlKey },
    app: { cookie: browser.cookie },
  }
  const answer = await world.app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: {
      host: HOST,
      ...(method !== 'GET' && { origin: `http://${HOST}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...credentials[door],
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  const code = answer.body.startsWith('{') ? (answer.json().error?.code ?? '') : ''
  return { status: answer.statusCode, code, text: answer.body }
}

const bodyFor = (door: Door, { body }: Operation) => body && leastBody(INTERFACES[door], body)
const IN_A_BUILDING = ROUTES.filter(({ operation }) => actionsOf(operation).length > 0)

test('every route of all documents lets each role do exactly what the table says', { timeout: 300_000 }, async () => {
  const wrong: string[] = []
  const lines: string[] = []
  let { ids } = await ownIds()
  for (const { door, operation } of IN_A_BUILDING) {
    const actions = actionsOf(operation)
    const statuses: number[] = []
    for (const role of ROLES) {
      // What the role before has removed is made anew.
      if (operation.method === 'DELETE') ids = (await ownIds()).ids
      const answer = await call(role, door, operation.method, pathOf(operation.path, ids), bodyFor(door, operation))
      const isRefused = ['not_permitted', 'not_found'].includes(answer.code)
      statuses.push(answer.status)
      const isRight = mayUse(role, actions) ? !isRefused && answer.status < 500 : answer.code === 'not_permitted'
      if (!isRight) wrong.push(`${operation.id} as ${role}: ${answer.status} ${answer.text.slice(0, 120)}`)
    }
    if (operation.method === 'DELETE') ids = (await ownIds()).ids
    lines.push(`${operation.id.padEnd(62)} ${actions.join('/').padEnd(18)} ${statuses.join('  ')}`)
  }
  console.log(`${''.padEnd(82)}${ROLES.map((role) => role.slice(0, 4)).join(' ')}\n${lines.join('\n')}`)
  expect(wrong).toEqual([])
})

test('every writable field needs what the table says', { timeout: 300_000 }, async () => {
  const wrong: string[] = []
  const { ids } = await ownIds()
  for (const { path, field, action, value } of FIELDS) {
    const door = path.split('/')[1] as Door
    for (const role of ROLES) {
      const answer = await call(role, door, 'PATCH', pathOf(path, ids), { [field]: value })
      const isRight = isPromised(role, action)
        ? answer.status < 500 && answer.code !== 'not_permitted'
        : answer.status === 403
      if (!isRight) wrong.push(`PATCH ${path} ${field} as ${role}: ${answer.status} ${answer.text.slice(0, 120)}`)
    }
  }
  const written = FIELDS.map(({ path, field }) => `${path} ${field}`)
  const known = ROUTES.flatMap(({ door, operation: { method, path, body } }) => {
    if (method !== 'PATCH' || !body || !/(rooms\/\{roomId\}(\/comfort)?|buildings\/\{buildingId\})$/.test(path))
      return []
    return Object.keys(INTERFACES[door].resolve(body).properties ?? {}).map((field) => `${path} ${field}`)
  })
  expect(written.toSorted()).toEqual(known.toSorted())
  expect(wrong).toEqual([])
})

test('for a guest, rooms of others do not exist, and lists leave them out', async () => {
  const { ids, otherRoomId } = await ownIds()
  const ofOthers = { ...ids, roomId: otherRoomId }
  for (const { door, operation } of IN_A_BUILDING.filter(({ operation }) => operation.path.includes('{roomId}'))) {
    const url = pathOf(operation.path, ofOthers)
    const answer = await call('guest', door, operation.method, url, bodyFor(door, operation))
    expect([operation.id, answer.status, answer.text]).toEqual([
      operation.id,
      404,
      expect.stringContaining('No such room'),
    ])
  }
  for (const [door, path] of [
    ['v1', '/v1/buildings/{buildingId}/rooms'],
    ['v1', '/v1/changes'],
    ['app', '/app/buildings'],
    ['app', '/app/buildings/{buildingId}/outlooks'],
    ['app', '/app/alerts'],
    ['app', '/app/overview'],
  ] as const) {
    const { status, text } = await call('guest', door, 'GET', pathOf(path, ids))
    expect([path, status]).toEqual([path, 200])
    expect(text).not.toContain(otherRoomId)
  }
})

test('a membership that has ended opens nothing at the very next request', async () => {
  const endsAt = world.clock.now() + DAY_MS
  const { ids } = await ownIds(endsAt)
  const rooms = pathOf('/v1/buildings/{buildingId}/rooms', ids)
  world.clock.advance(DAY_MS - 1)
  for (const role of ROLES) expect((await call(role, 'v1', 'GET', rooms)).status).toBe(200)
  world.clock.advance(1)
  for (const role of ROLES) {
    for (const { door, operation } of IN_A_BUILDING) {
      const answer = await call(role, door, operation.method, pathOf(operation.path, ids), bodyFor(door, operation))
      expect([operation.id, role, answer.status]).toEqual([operation.id, role, 404])
    }
    for (const [door, path] of [
      ['v1', '/v1/buildings'],
      ['v1', '/v1/changes'],
      ['app', '/app/buildings'],
      ['app', '/app/alerts'],
      ['app', '/app/overview'],
    ] as const)
      expect((await call(role, door, 'GET', path)).text).not.toContain(ids.buildingId)
  }
})

test('the documentation has the table of the code', () => {
  console.log(roleTable(ROLES))
  expect(MEMBERS_PAGE).toContain(roleTable(ROLES))
})
