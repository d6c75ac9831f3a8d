import { HOUR_MS } from '@hypocaust/domain/facts'
import { createKey, grantedApps, invite, makeLink, revokeKey, rotateToken } from '@hypocaust/service'
import { Browser, HOST, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { addAccount, furnish, HOUSE } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { tokensFor } from '@hypocaust/testing/oauth.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { InjectOptions } from 'fastify'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CALLERS, type Caller, type Door, expected, leastBody, type Outcome, ROUTES } from '../authorisation.ts'
import { INTERFACES, type Operation } from '../openapi.ts'
import { routesOfServers } from '../served.ts'

const REFUSALS = ['not_found', 'read_only_key', 'not_permitted', 'missing_api_key', 'invalid_api_key', 'not_signed_in']
const NAMED_BY_SECRET = ['/app/invitations/acceptance', '/app/device', '/app/device/look']
const STRANGER = 'bob@example.org'
/** These end the session or change the account they are called with. */
const ENDS_SESSION = /\/(session|sessions|password|totp|accounts)/

/** The same for everybody, or opened by what is sent: `service/test/mcp.test.ts` and `oauth-….test.ts` try those. */
const OPEN = [
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-protected-resource/v1',
  'GET /control/openapi.json',
  'GET /docs',
  'GET /docs/',
  'GET /docs/js/scalar.js',
  'GET /docs/js/start.js',
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'GET /openapi.json',
  'POST /mcp',
  'POST /oauth/device_authorization',
  'POST /oauth/revoke',
  'POST /oauth/token',
]

let world: World
let served: string[]
let stranger: Browser
let ended: Browser
let expired: Browser
let spareAccountId: string
let keys: Record<'own' | 'foreign' | 'read-only' | 'revoked' | 'expired' | 'token' | 'formerApp', string>
let shared: Record<'own' | 'other session', Browser>

beforeAll(async () => {
  const routes = routesOfServers()
  world = await openSite('sqlite')
  served = routes.stop()
  const { store, clock, holder } = world
  const { accountId } = holder
  expired = await signedIn(world)
  const sessions = store.db.withoutPlugins() as unknown as Kysely<{ session: { expiresAt: string; userId: string } }>
  const longAgo = '2020-01-01T00:00:00.000Z'
  await sessions.updateTable('session').set({ expiresAt: longAgo }).where('userId', '=', accountId).execute()
  ended = await signedIn(world)
  const cookie = ended.cookie
  await ended.call('DELETE', '/app/session')
  ended = withCookie(cookie)
  spareAccountId = await addAccount(store, 'spare@example.org')
  const key = { accountId, name: 'k', permission: 'write' as const, expiresAt: null, control: true }
  const madeWith = async (changes: Partial<typeof key> | { permission: 'read' }) =>
    (await createKey(store, clock, { ...key, ...changes })).value
  const revoked = await createKey(store, clock, key)
  await revokeKey(store, clock, { id: revoked.id })
  const old = await createKey(store, clock, { ...key, expiresAt: clock.now() - 1 })
  const token = (await rotateToken(store, clock, holder.gatewayIds[0] ?? '')) ?? ''
  await signInAnew()
  keys = {
    own: await madeWith({}),
    foreign: await madeWith({ accountId: world.stranger.accountId }),
    'read-only': await madeWith({ permission: 'read' }),
    revoked: revoked.value,
    expired: old.value,
    token,
    formerApp: await tokenOfFormerMember(),
  }
})
afterAll(() => world.close())

/** What an app was granted by a person who has left the building since. */
async function tokenOfFormerMember(): Promise<string> {
  const { store, clock, holder } = world
  const { buildingId } = holder
  const { accountId } = await settleMember(store, clock, { buildingId, email: 'left@example.org', role: 'resident' })
  const { accessToken } = await tokensFor(world, { accountId, buildings: [{ id: buildingId, permission: 'write' }] })
  await store.db.deleteFrom('members').where('accountId', '=', accountId).execute()
  return accessToken
}

const APPS: Partial<Record<Caller, 'read' | 'write'>> = {
  app: 'write',
  'app that may read': 'read',
  'foreign app': 'write',
}

/** Undefined where no app asks. */
async function tokenOf(caller: Caller, buildingId: string): Promise<string | undefined> {
  if (caller === 'app of a former member') return keys.formerApp
  const permission = APPS[caller]
  if (!permission) return undefined
  const granting = caller === 'foreign app' ? world.stranger : { ...world.holder, buildingId }
  const buildings = [{ id: granting.buildingId, permission }]
  return (await tokensFor(world, { accountId: granting.accountId, buildings })).accessToken
}

async function signInAnew(): Promise<void> {
  stranger = await signedIn(world, STRANGER)
  shared = { own: await signedIn(world), 'other session': await signedIn(world) }
}

/** A browser that goes on sending an old cookie. */
function withCookie(cookie: string): Browser {
  const browser = new Browser(world)
  Object.defineProperty(browser, 'cookie', { get: () => cookie })
  return browser
}

async function cookieOf(caller: Caller, operation: Operation): Promise<string | undefined> {
  if (caller === 'foreign') {
    return (ENDS_SESSION.test(operation.path) ? await signedIn(world, STRANGER) : stranger).cookie
  }
  if (caller === 'revoked') return ended.cookie
  if (caller === 'expired') return expired.cookie
  if (caller !== 'own' && caller !== 'other session') return undefined
  return (ENDS_SESSION.test(operation.path) ? await signedIn(world) : shared[caller]).cookie
}

async function credentials(
  door: Door,
  caller: Caller,
  operation: Operation,
  ids: Record<string, string>,
): Promise<Record<string, string>> {
  const { holder } = world
  const token = await tokenOf(caller, ids.buildingId ?? '')
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  const ofKey = (key: string) => ({ 'x-api-key': key })
  if (caller === 'other gateway') return ofKey(keys.token)
  if (caller === 'without control') return ofKey(holder.writeKey)
  if (caller === 'read-only') return ofKey(keys[caller])
  if (door !== 'app') {
    if (caller === 'own' || caller === 'foreign' || caller === 'revoked' || caller === 'expired')
      return ofKey(keys[caller])
    if (caller === 'none') return {}
  }
  const cookie = await cookieOf(caller, operation)
  return cookie === undefined ? {} : { cookie }
}

/** The owner's things, made anew after every request that may have removed them. */
async function ownIds(): Promise<Record<string, string>> {
  const { store, clock, holder } = world
  const sensor = `dd:${crypto
    .randomUUID()
    .slice(0, 8)
    .replace(/..(?=.)/g, '$&:')}`
  const rooms = HOUSE.rooms.slice(0, 1).map((room) => ({ ...room, sensor }))
  const house = { ...HOUSE, name: `House ${crypto.randomUUID()}`, rooms }
  const { buildingId, roomIds, gatewayIds } = await furnish(store, clock, holder.accountId, house)
  const { id: keyId } = await createKey(store, clock, {
    accountId: holder.accountId,
    name: 'k',
    permission: 'read',
    expiresAt: null,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tables of the sign-in library, in its own spelling
  const plain = store.db.withoutPlugins() as unknown as Kysely<any>
  const sessionId = crypto.randomUUID()
  const [createdAt, expiresAt] = ['2026-01-10T08:00:00.000Z', '2099-01-01T00:00:00.000Z']
  const dates = { createdAt, updatedAt: createdAt, expiresAt }
  await plain
    .insertInto('session')
    .values({ id: sessionId, token: sessionId, userId: holder.accountId, ...dates })
    .execute()
  const passkeyId = crypto.randomUUID()
  const credential = { credentialID: passkeyId, publicKey: 'k', counter: 0, deviceType: 'singleDevice', backedUp: 0 }
  await plain
    .insertInto('passkey')
    .values({ id: passkeyId, userId: holder.accountId, ...credential })
    .execute()
  const deviceId = crypto.randomUUID()
  const contactId = 'ee:01:02'
  await plain
    .insertInto('contacts')
    .values({ building_id: buildingId, id: contactId, room_id: null, is_open: 0, measured_at: 0 })
    .execute()
  const alertId = crypto.randomUUID()
  await plain
    .insertInto('alerts')
    .values({ id: alertId, building_id: buildingId, subject: alertId, open_subject: alertId, alert: '{}', began_at: 0 })
    .execute()
  // Another owner, so that the owner may leave and be removed.
  const memberId = holder.accountId
  const other = { building_id: buildingId, account_id: spareAccountId, role: 'owner', created_at: 0 }
  await plain.insertInto('members').values(other).execute()
  const scope = { buildingId, accountId: memberId }
  const invitation = await invite(store, clock, scope, { role: 'resident' })
  // A new account has claimed the invitation: only then can an owner confirm it.
  await plain
    .updateTable('invitations')
    .set({ claimed_by: spareAccountId })
    .where('id', '=', invitation.entry.id)
    .execute()
  const device = {
    endpoint: `https://push.example/${deviceId}`,
    p256dh: 'p',
    auth: 'a',
    language: 'en',
    user_agent: 'x',
  }
  await plain
    .insertInto('push_devices')
    .values({ id: deviceId, account_id: holder.accountId, session_id: sessionId, created_at: 0, ...device })
    .execute()
  const recordId = crypto.randomUUID()
  const entry = '{"at":"2026-01-10T08:15:03.000Z","kind":"started"}'
  await store.db
    .insertInto('screedRecords')
    .values({ buildingId, runId: recordId, n: 0, text: entry, hash: '' })
    .execute()
  const webhookId = crypto.randomUUID()
  // At an address that is refused before anything is sent.
  const webhook = { url: 'https://127.0.0.1/', events: '["change"]', created_at: 0 }
  await plain
    .insertInto('webhooks')
    .values({ id: webhookId, account_id: holder.accountId, ...webhook })
    .execute()
  const calendarId = crypto.randomUUID()
  await store.db
    .insertInto('calendars')
    .values({ id: calendarId, buildingId, name: 'Family', rules: '[]', dueAt: clock.now() })
    .execute()
  const link = await makeLink(store, { accountId: holder.accountId, roomId: roomIds[0] ?? '' }, clock.now())
  await tokensFor(world, { accountId: holder.accountId, buildings: [{ id: buildingId, permission: 'read' }] })
  const [grant] = await grantedApps(store, holder.accountId, clock.now())
  return {
    grantId: grant?.id ?? '',
    buildingId,
    roomId: roomIds[0] ?? '',
    gatewayId: gatewayIds[0] ?? '',
    keyId,
    sessionId,
    passkeyId,
    deviceId,
    contactId,
    recordId,
    calendarId,
    linkId: link.id,
    file: `${link.secret}.ics`,
    sequence: '000000000000001',
    alertId,
    memberId,
    invitationId: invitation.entry.id,
    webhookId,
  }
}

const pathOf = ({ path }: Operation, ids: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`${path}: say in this test where the owner's ${name} comes from`)
    return id
  })

async function outcomeOf(door: Door, operation: Operation, caller: Caller, ids: Record<string, string>) {
  const { method, body, isStream, parameters } = operation
  const least = body && leastBody(INTERFACES[door], body)
  const waits = parameters.some(({ name }) => name === 'wait')
  const answer = await world.app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: pathOf(operation, ids) + (waits ? '?wait=0' : ''),
    headers: {
      host: HOST,
      ...(method !== 'GET' && { origin: `http://${HOST}` }),
      ...(least !== undefined && { 'content-type': 'application/json' }),
      ...(isStream && { accept: 'text/event-stream' }),
      ...(await credentials(door, caller, operation, ids)),
    },
    ...(least !== undefined && { payload: JSON.stringify(least) }),
    payloadAsStream: isStream,
  })
  if (isStream && answer.statusCode === 200) {
    answer.stream().destroy()
    return { status: 200, outcome: 'in' as Outcome, text: '' }
  }
  const text = isStream ? (await answer.stream().toArray()).join('') : answer.body
  const code = codeIn(text)
  // Where nobody is asked who they are, or a secret in the body names the thing, one that is not there is no refusal.
  const isNamedBySecret = operation.isOpen || NAMED_BY_SECRET.includes(operation.path)
  const isRefusal = REFUSALS.includes(code) && !(isNamedBySecret && code === 'not_found')
  return { status: answer.statusCode, outcome: (isRefusal ? code : 'in') as Outcome, text }
}

function codeIn(text: string): string {
  try {
    return JSON.parse(text).error?.code ?? ''
  } catch {
    return ''
  }
}

test('every route of all documents lets in exactly whom it should', { timeout: 600_000 }, async () => {
  const lines: string[] = []
  const wrong: string[] = []
  let ids = await ownIds()
  for (const { door, operation } of ROUTES) {
    const changes = operation.method !== 'GET'
    // What was guessed for the last route is forgotten.
    world.clock.advance(HOUR_MS)
    const statuses: string[] = []
    // The owner comes last: what the others were refused must still be there.
    for (const caller of CALLERS.toReversed()) {
      const { status, outcome, text } = await outcomeOf(door, operation, caller, ids)
      const wanted = expected(door, operation, caller)
      if (changes && (caller === 'other session' || caller === 'own')) ids = await ownIds()
      statuses.unshift(String(status))
      if (outcome !== wanted || status >= 500)
        wrong.push(`${operation.id} as ${caller}: ${status} ${outcome}, not ${wanted}: ${text.slice(0, 120)}`)
      const tells = Object.values(ids).find(
        (id) => caller === 'foreign' && !operation.path.includes('{') && text.includes(id),
      )
      if (tells) wrong.push(`${operation.id} tells a stranger of ${tells}`)
    }
    if (operation.method === 'DELETE' && ENDS_SESSION.test(operation.path)) await signInAnew()
    lines.push(`${operation.id.padEnd(56)} ${statuses.map((status) => status.padEnd(6)).join('')}`)
  }
  const head = `${''.padEnd(57)}${CALLERS.map((caller) => caller.slice(0, 5).padEnd(6)).join('')}`
  console.log(
    `${[head, ...lines].join('\n')}\n${ROUTES.length} routes × ${CALLERS.length} callers = ${ROUTES.length * CALLERS.length} cells, ${wrong.length} wrong`,
  )
  expect(wrong).toEqual([])
})

test('a route of the service is in the matrix, or named as one of those outside it', () => {
  const ids = ROUTES.map(({ operation }) => operation.id)
  expect(new Set(ids).size).toBe(ids.length)
  const others = served.filter((id) => !ids.includes(id))
  expect(ids.filter((id) => !served.includes(id))).toEqual([])
  expect(others).toEqual(OPEN)
})
