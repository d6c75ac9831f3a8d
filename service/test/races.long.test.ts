import { readFileSync } from 'node:fs'
import { DAY_MS, HOUR_MS, timestampOf } from '@hypocaust/domain'
import { type Browser, HOST, openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { addAccount, BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import { Interleaving } from '@hypocaust/testing/interleaved.ts'
import { KeptRows } from '@hypocaust/testing/kept-rows.ts'
import { newPkce, registerApp, requestOf, tokensFor } from '@hypocaust/testing/oauth.ts'
import { isFull } from '@hypocaust/testing/runs.ts'
import { type Answer, appOn, World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import { removeGateway } from '../src/house/gateways/gateways.ts'
import { removeRoom } from '../src/house/rooms/manage.ts'
import { makeLink } from '../src/people/links/programme-links.ts'
import type { OauthClient } from '../src/people/oauth/clients.ts'
import { beginOnDevice } from '../src/people/oauth/devices.ts'
import type { Store } from '../src/store/store.ts'

const ROOM = { name: 'Hall', floor_type: 'dry', sensor_id: BATHROOM_SENSOR }
const EPOCH_SPAN = '?from=0&to=3600'
/** By how the route ends, for those that need one. */
const QUERIES = {
  'rooms/{roomId}/warm-up': '?at=06:00&from=18&to=21',
  'app/rooms/{roomId}/history': EPOCH_SPAN,
  'app/rooms/{roomId}/history.csv': EPOCH_SPAN,
  'rooms/{roomId}/history': '?from=2026-01-09T00:00:00.000Z&to=2026-01-10T00:00:00.000Z',
}
const YEAR_MS = 365 * DAY_MS
const CONTACT = 'ee:01:02'
const ALERT = '019bb0f4-6e03-7a11-9d5e-2f1a6b7c8d9e'
const INVITATION = 'an invitation'
const WEBHOOK = 'a webhook'
const RECORD = 'a record'
const CALENDAR = '019bb0f4-6e04-7a11-9d5e-2f1a6b7c8d9f'
const CALENDAR_FILE = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'

/** What an app asks for before a person has decided. */
interface Asking {
  client: OauthClient
  challenge: string
  userCode: string
}

/** A body for every route that takes one; the ids are those of the house of the moment. */
const bodiesOf = (
  { holder, clock }: World,
  { change, asking }: { change: string; asking: Asking },
): Record<string, object> => {
  const request = requestOf(asking.client, asking.challenge)
  const granted = [{ id: holder.buildingId, permission: 'read' as const }]
  const people = [{ name: 'Anna', home: false }]
  const calendar = { name: 'Work', content: CALENDAR_FILE, rules: [] }
  const override = { target_temperature: 22, until: timestampOf(clock.now() + HOUR_MS) }
  const valves = [{ gateway_id: holder.gatewayIds[0], channel: 3 }]
  return {
    'POST /app/buildings': { name: 'Twin', location: HOUSE.location, timezone: HOUSE.timezone },
    'PATCH /app/buildings/{buildingId}': { name: 'New name' },
    'PATCH /app/buildings/{buildingId}/contacts/{contactId}': { room_id: holder.roomIds[0] },
    'POST /app/buildings/{buildingId}/gateways': { name: 'shed' },
    'POST /app/buildings/{buildingId}/rooms': { ...ROOM, valves },
    'POST /app/buildings/{buildingId}/loops/test': { gateway_id: holder.gatewayIds[0], channel: 1 },
    'PUT /app/buildings/{buildingId}/loops/rooms': {
      loops: [{ gateway_id: holder.gatewayIds[0], channel: 1, room_id: holder.roomIds[1] }],
    },
    'PATCH /app/rooms/{roomId}': { valves, sensor_id: BATHROOM_SENSOR },
    'POST /app/keys': { name: 'k', permission: 'read', expires_at: null },
    'POST /app/webhooks': { url: 'https://receiver.example/', events: ['change'] },
    'PUT /app/notifications': { mail: true, language: 'en', muted: [] },
    'PUT /app/notifications/devices': {
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      p256dh: 'p'.repeat(87),
      auth: 'a'.repeat(22),
      language: 'en',
    },
    'POST /app/buildings/{buildingId}/invitations': { role: 'resident' },
    'PATCH /app/buildings/{buildingId}/members/{memberId}': { role: 'resident' },
    'PUT /app/alerts/{alertId}/snooze': { until: override.until },
    'PUT /v1/buildings/{buildingId}/away': { target_temperature: 15, until: override.until },
    'PUT /v1/buildings/{buildingId}/power-limit': { limit_w: 4200, until: override.until },
    'PUT /v1/buildings/{buildingId}/presence': { people },
    'PUT /v1/buildings/{buildingId}/rooms/{roomId}/override': override,
    'PUT /app/buildings/{buildingId}/override': override,
    'PUT /app/rooms/{roomId}/override': override,
    'POST /v1/buildings/{buildingId}/rooms/{roomId}/feedback': { feeling: 'too_cold' },
    'POST /app/rooms/{roomId}/feedback': { feeling: 'too_warm' },
    'POST /app/rooms/{roomId}/what-if': { target_temperature: 20 },
    'POST /app/buildings/{buildingId}/all-rooms': { action: 'lower' },
    'POST /app/buildings/{buildingId}/changes/undo': { changes: [Number(change)] },
    'POST /app/rooms/{roomId}/programme/copies': { room_ids: holder.roomIds },
    'PUT /app/name': { name: 'Ada' },
    'PUT /app/buildings/{buildingId}/presence': { people },
    'PUT /app/buildings/{buildingId}/loops/details': {
      ...{ gateway_id: holder.gatewayIds[0], channel: 1 },
      ...{ length_m: 80, spacing_mm: 150, covering: 'tiles', design_flow_l_min: 1.5 },
    },
    'POST /app/buildings/{buildingId}/calendars': calendar,
    'PUT /app/buildings/{buildingId}/calendars/{calendarId}': calendar,
    'POST /app/buildings/{buildingId}/screed': { programme: 'functional', max: 40, restart_after_hours: 24 },
    'POST /app/authorization': { request, buildings: granted },
    'POST /app/authorization/look': request,
    'POST /app/device': { user_code: asking.userCode, buildings: granted },
    'POST /app/device/look': { user_code: asking.userCode },
    'PATCH /v1/buildings/{buildingId}/rooms': { rooms: holder.roomIds.map((id) => ({ id, target_temperature: 22 })) },
    'PATCH /v1/buildings/{buildingId}/rooms/{roomId}': { sensor_id: BATHROOM_SENSOR },
  }
}

/** Routes that ask for a password or code, send to others, act on the session they are called with, or never end. */
const LEFT_OUT =
  /^(HEAD |POST \/app\/(accounts?|session|password|passkeys|totp|house-file|gateways\/pair$|notifications\/test|webhooks\/.*\/test|invitations)|(DELETE|PUT) \/app\/(session|sessions|password|passkeys|notifications\/devices\/)|GET \/(app|v1)\/(events|openapi))/

const OPERATIONS = ['openapi', 'openapi-app']
  .flatMap((name) => {
    const { paths } = JSON.parse(readFileSync(new URL(`../../docs/${name}.json`, import.meta.url), 'utf8'))
    return Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
  })
  .filter((operation) => !LEFT_OUT.test(operation))

describe.each(ENGINES)('races on %s', (engine) => {
  let world: World
  let interleaving: Interleaving
  let app: FastifyInstance
  let ada: Browser
  let kept: KeptRows
  let keyId: string
  let grantId: string
  let sequence: string
  let file: string
  let asking: Asking

  // biome-ignore lint/suspicious/noExplicitAny: the sign-in library's tables are not among ours
  const plain = () => world.store.db.withoutPlugins() as unknown as Kysely<any>

  beforeAll(async () => {
    world = await openSite(engine)
    interleaving = new Interleaving(world.store)
    app = await appOn(interleaving.store, world.clock, { website: WEBSITE })
    ada = await signedIn(world)
    await addRest()
    kept = await KeptRows.of(world.store, world.holder)
  })
  afterAll(async () => {
    await app.close()
    await world.close()
  })

  /** What a house does not begin with: something for each route to act on. */
  async function addRest(): Promise<void> {
    const { db } = world.store
    const { buildingId, accountId } = world.holder
    await addApps()
    const link = await makeLink(world.store, { accountId, roomId: world.bathroomId }, world.clock.now())
    file = `${link.secret}.ics`
    const supply = '{"kind":"heat_pump","supply":{"min":20,"max":50}}'
    const water = '{"lock":null,"supply_c":30,"supply_set_c":null,"sg_ready":null}'
    const started = JSON.stringify({ kind: 'started', at: timestampOf(world.clock.now()) })
    const claimedBy = await addAccount(world.store, 'claimant@example.org')
    const invitation = { id: INVITATION, buildingId, secretHash: 'x', role: 'resident', claimedBy } as const
    await world.store.batch([
      // A use is noted beside the request, and would be a step of it at one time and not at another.
      db.updateTable('apiKeys').set({ lastUsedAt: world.clock.now() + YEAR_MS }),
      db.insertInto('contacts').values({ buildingId, id: CONTACT, roomId: null, isOpen: 0, measuredAt: 0 }),
      db
        .insertInto('alerts')
        .values({ id: ALERT, buildingId, subject: ALERT, openSubject: ALERT, alert: '{}', beganAt: 0 }),
      // A second owner, so that the first may leave.
      db.insertInto('members').values({ buildingId, accountId: world.stranger.accountId, role: 'owner', createdAt: 0 }),
      db
        .insertInto('invitations')
        .values({ ...invitation, invitedBy: accountId, createdAt: 0, expiresAt: world.clock.now() + YEAR_MS }),
      // A heat-up of a screed needs a source that can be asked for water, and a gateway that measures it.
      db.updateTable('buildings').set({ heatSource: supply }).where('id', '=', buildingId),
      db
        .updateTable('gateways')
        .set({ channels: 4, sourceReport: water, lastSeenAt: world.clock.now() + YEAR_MS })
        .where('buildingId', '=', buildingId),
      db
        .insertInto('calendars')
        .values({ id: CALENDAR, buildingId, name: 'Work', rules: '[]', content: CALENDAR_FILE, dueAt: 0 }),
      db.insertInto('screedRecords').values({ buildingId, runId: RECORD, n: 0, text: started, hash: 'x' }),
      db
        .insertInto('webhooks')
        .values({ id: WEBHOOK, accountId, url: 'https://receiver.example/', events: '[]', createdAt: 0 }),
    ])
    // A setting that was changed, to be undone.
    await world.patch({ target_temperature: 21 })
    const changes = db.selectFrom('changeLog').select('sequence').where('buildingId', '=', buildingId)
    sequence = String((await changes.orderBy('sequence', 'desc').executeTakeFirstOrThrow()).sequence)
    const keys = await db.selectFrom('apiKeys').select(['id', 'clientId']).where('accountId', '=', accountId).execute()
    keyId = keys.find(({ clientId }) => clientId === null)?.id ?? ''
    grantId = keys.find(({ clientId }) => clientId !== null)?.id ?? ''
  }

  /** An app that was granted access, one that asks for it, and one that asks on a device. */
  async function addApps(): Promise<void> {
    const { store, clock, holder } = world
    const inAYear = { now: () => clock.now() + YEAR_MS, elapsedMs: () => clock.elapsedMs() }
    await tokensFor(world, { accountId: holder.accountId, buildings: [{ id: holder.buildingId, permission: 'read' }] })
    const client = await registerApp(world)
    const { userCode } = await beginOnDevice({ store, clock: inAYear }, { client, permission: 'read' })
    asking = { client, challenge: newPkce().challenge, userCode }
  }

  /** The accounts with their houses as in the beginning. */
  async function restore(): Promise<void> {
    const holder = await kept.putBack()
    world = new World(world.test, world.clock, world.app, holder, world.stranger)
    // The search for the rooms of loops needs a temperature to begin with.
    await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
    // What was counted against a limit is forgotten.
    world.clock.advance(HOUR_MS)
  }

  const ids = (): Record<string, string> => ({
    buildingId: world.holder.buildingId,
    roomId: world.bathroomId,
    gatewayId: world.holder.gatewayIds[0] ?? '',
    contactId: CONTACT,
    sequence,
    alertId: ALERT,
    memberId: world.stranger.accountId,
    invitationId: INVITATION,
    keyId,
    grantId,
    webhookId: WEBHOOK,
    recordId: RECORD,
    calendarId: CALENDAR,
    file,
  })

  function send(to: World, operation: string): Promise<Answer> {
    const [method = '', path = ''] = operation.split(' ')
    const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids()[name] ?? name)
    const query = Object.entries(QUERIES).find(([end]) => operation.endsWith(end))?.[1] ?? ''
    return to.call(method as 'GET', url + query, {
      headers: {
        host: HOST,
        cookie: ada.cookie,
        ...(method !== 'GET' && { origin: `http://${HOST}` }),
      },
      key: world.holder.writeKey,
      body: bodiesOf(world, { change: sequence, asking })[operation],
    })
  }

  const EVENTS = {
    'the building is removed': () => removeBuilding(world.store, world.holder.buildingId),
    'the room is removed': () =>
      removeRoom(world.store, world.clock, { buildingId: world.holder.buildingId, roomId: world.bathroomId }),
    'the gateway is removed': () => removeGateway(world.store, world.clock, world.holder.gatewayIds[0] ?? ''),
    'the account is removed': () => plain().deleteFrom('user').where('id', '=', world.holder.accountId).execute(),
    'the same request comes first': (operation: string) => send(world, operation),
  }

  const isAbout = (operation: string, event: string): boolean => {
    if (operation.startsWith('GET')) return /building/.test(event)
    return /\{/.test(operation) ? !/account/.test(event) : /account|same/.test(event)
  }

  /** The short form tries each event on one of the engines, by turns; `npm run test:properties` on both. */
  const eventsFor = (operation: string) => {
    const about = Object.entries(EVENTS).filter(([name]) => isAbout(operation, name))
    const turn = OPERATIONS.indexOf(operation) + ENGINES.indexOf(engine)
    return isFull ? about : about.filter((_event, i) => (i + turn) % ENGINES.length === 0)
  }

  /** Runs the work once for every moment at which the event can come in between. */
  async function atEach(
    steps: number,
    event: () => Promise<unknown>,
    work: (step: number) => Promise<unknown>,
  ): Promise<void> {
    for (let n = 1; n <= steps; n++) {
      await restore()
      await interleaving.at(n, event, () => work(n))
    }
  }

  test.each(OPERATIONS)('%s answers with its own codes, whatever happens in between', async (operation) => {
    const failures: string[] = []
    const ask = () => send(new World(world.test, world.clock, app, world.holder, world.stranger), operation)
    await restore()
    const steps = await interleaving.stepsOf(async () => {
      const { status, text } = await ask()
      expect(status, `undisturbed: ${text}`).toBeLessThan(300)
    })
    expect(steps).toBeGreaterThan(0)
    for (const [name, event] of eventsFor(operation)) {
      await atEach(
        steps,
        () => event(operation),
        async (step) => {
          const { status, text } = await ask()
          if (status >= 500) failures.push(`${name} after step ${step}: ${status} ${text}`)
        },
      )
    }
    expect(failures).toEqual([])
  })

  test('a house file is refused by the same codes', async () => {
    const { accountId } = world.holder
    const house = { ...HOUSE, gateways: [...(HOUSE.gateways ?? []), { name: 'shed' }] }
    const apply = (store: Store) =>
      applyHouse(store, world.clock, house, { accountId, overwriteSettings: false, prune: false })
    const kinds = new Set<string>()
    await restore()
    const steps = await interleaving.stepsOf(() => apply(interleaving.store))
    for (const event of [...Object.values(EVENTS).slice(0, -1), () => apply(world.store)]) {
      await atEach(
        steps,
        () => event(''),
        () => apply(interleaving.store).catch((error) => kinds.add(error.kind ?? error)),
      )
    }
    expect([...kinds].sort()).toEqual(['foreign_key', 'unique'])
  })

  test('rooms can be changed while their building is removed, without a deadlock', async () => {
    const statuses = new Set<number>()
    const patch = (roomId: string | undefined, power: number) =>
      world.call('PATCH', `${world.roomsPath}/${roomId}`, {
        key: world.holder.writeKey,
        body: { manual_power: { enabled: true, power } },
      })
    for (let round = 0; round < 5; round++) {
      await restore()
      const changes = world.holder.roomIds.flatMap((id) => [0, 0.1, 0.2, 0.3].map((power) => patch(id, power)))
      const removal = send(world, 'DELETE /app/buildings/{buildingId}')
      for (const { status } of await Promise.all([...changes, removal])) statuses.add(status)
    }
    expect([...statuses].filter((status) => ![200, 204, 404].includes(status))).toEqual([])
  })
})
