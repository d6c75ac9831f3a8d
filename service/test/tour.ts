import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { type Browser, openSite, PASSWORD, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import type { Engine } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import { learnRoom } from '@hypocaust/testing/learned-room.ts'
import { EMBEDDED, MqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { connect, post, registerApp } from '@hypocaust/testing/oauth.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { DEVICE_GRANT } from '../src/doors/http/oauth/metadata.ts'
import { mosquittoPasswords } from '../src/doors/mqtt/mosquitto.ts'
import { startMqtt } from '../src/doors/mqtt/run.ts'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { listAllBuildings } from '../src/house/buildings/buildings.ts'
import { forgetChanges } from '../src/house/change-log/forget.ts'
import { diagnosisOf } from '../src/house/diagnosis/diagnosis.ts'
import { keepExamination } from '../src/house/diagnosis/examine.ts'
import { addGateway, listGateways, removeGateway, rotateToken } from '../src/house/gateways/gateways.ts'
import { createPairingCode } from '../src/house/gateways/pairing.ts'
import { explainRoom } from '../src/house/heating/explanation.ts'
import { Fitting } from '../src/house/heating/fitting.ts'
import { advanceLoopRuns } from '../src/house/loops/advance-runs.ts'
import { startSearch, stopRun } from '../src/house/loops/commands.ts'
import { rollUpAll } from '../src/house/readings/roll-up.ts'
import { Replays } from '../src/house/replays/replays.ts'
import { keepSavings } from '../src/house/replays/savings.ts'
import { RevisionWatch } from '../src/house/revisions.ts'
import { findRooms } from '../src/house/rooms/rooms.ts'
import type { RoomScope } from '../src/house/rooms/write.ts'
import { updateWeather } from '../src/house/weather/updates.ts'
import { listAccounts, resetPassword } from '../src/people/accounts/accounts.ts'
import { AlertNotifier } from '../src/people/alerts/alert-notifier.ts'
import { forgetOld } from '../src/people/alerts/life.ts'
import { checkDueBuildings } from '../src/people/alerts/watch.ts'
import { listKeys, revokeKey } from '../src/people/keys/keys.ts'
import { publicNetwork } from '../src/people/notify/push/network.ts'
import { PushSender } from '../src/people/notify/push/sender.ts'
import { listClients, removeClient } from '../src/people/oauth/clients.ts'
import { forgetOauth } from '../src/people/oauth/forget.ts'
import { Deliveries } from '../src/people/webhooks/deliver.ts'
import { gatherChanges } from '../src/people/webhooks/gather.ts'
import type { Answer } from '../src/people/webhooks/network.ts'
import { WebhookSender } from '../src/people/webhooks/sender.ts'
import { forgetDeliveries, testWebhook } from '../src/people/webhooks/webhooks.ts'
import { runUnshared } from '../src/processes/exclusive.ts'

const HALF_HOUR_MS = 1_800_000

/** Walks through all the service does, once: every route, gateways' messages, control, fitting, weather, upkeep, commands. */
export async function tour(engine: Engine, onOpened: () => void): Promise<World> {
  const routes = new Set<string>()
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) routes.add(`${name} ${url}`)
    })
  }
  subscribe('fastify.initialization', watch)
  const world = await openSite(engine)
  unsubscribe('fastify.initialization', watch)
  onOpened()
  await hearGateways(world)
  await controlAndFit(world)
  await website(world, await signedIn(world))
  await v1(world)
  await everyRoute(world, await signedIn(world), [...routes])
  await alerts(world, await signedIn(world))
  await upkeep(world)
  await commands(world)
  return world
}

async function hearGateways(world: World): Promise<void> {
  const { store, clock } = world
  const [metrics, logger] = [createMetrics(), createLogger('silent')]
  const mqtt = await startMqtt({
    store,
    clock,
    metrics,
    logger,
    broker: EMBEDDED,
    alone: runUnshared,
    onReadings: () => {},
  })
  const gateways = new MqttWorld(world, mqtt, EMBEDDED, { metrics, logger, log: [], steered: [] })
  const gateway = await gateways.gateway()
  const { boot } = gateway
  gateway.say('status', { state: 'online', boot, version: '1', channels: 8, config_revision: null }, true)
  gateway.say('heartbeat', { boot, buffered: 0, clock_ok: true })
  gateway.say('window', {
    channel: 1,
    seq: 1,
    start: new Date(clock.now()).toISOString(),
    window_s: 900,
    open_s: 300,
    source: 'command',
  })
  gateway.say('ack', { epoch: 1, seq: 1, result: 'accepted' })
  await gateway.deliver([
    reading(BATHROOM_SENSOR, 20, clock.now(), { humidity: 40 }),
    reading('ff:ff:ff:ff:ff:01', 20, clock.now()),
  ])
  gateway.say('status', { state: 'offline', boot, config_revision: null }, true)
  await gateway.deliver([reading(BATHROOM_SENSOR, 20, clock.now() - MINUTE_MS)], { backfill: true })
  await mqtt.commander.update(world.holder.buildingId)
  await mqtt.commander.repeatDue()
  await gateways.leaveAll()
  await mqtt.stop()
}

async function controlAndFit(world: World): Promise<void> {
  const { store, clock, holder, bathroomId } = world
  const heating = heatingOf(world)
  await heating.control(holder.buildingId)
  await world.heartbeat(holder.gatewayIds[0])
  await heating.controlQuiet()
  const endOf = (index: number) => (Math.floor(clock.now() / HALF_HOUR_MS) - index) * HALF_HOUR_MS
  const slots = Array.from({ length: 48 }, (_, index) => ({
    endMs: endOf(index),
    airC: 20 + Math.sin(index / 8),
    power: index % 16 < 6 ? 0.6 : 0,
    outdoorC: 0,
    windMs: 3,
    solarWm2: 0,
  }))
  await store.db
    .insertInto('roomSlots')
    .values(slots.map((slot) => ({ roomId: bathroomId, endsAt: slot.endMs, slot: JSON.stringify(slot) })))
    .execute()
  const replays = new Replays(HOUR_MS)
  const parts = { store, availability: { silentAfterS: 300 }, replays }
  const afterFit = async (room: RoomScope) => {
    await keepSavings(parts, room, clock.now())
    await keepExamination(parts, room, clock.now())
  }
  const fitting = new Fitting({ metrics: createMetrics(), store, clock, heating, afterFit })
  while (await fitting.fitNext());
  await learnRoom(store, bathroomId, 8, clock.now())
  const bathroom = { buildingId: holder.buildingId, roomId: bathroomId }
  await afterFit(bathroom)
  await afterFit(bathroom)
  await fitting.stop()
  await replays.stop()
  await heating.settled()
}

async function website(world: World, browser: Browser): Promise<void> {
  const building = `/app/buildings/${world.holder.buildingId}`
  const room = `/app/rooms/${world.bathroomId}`
  const away = { until: new Date(world.clock.now() + 86_400_000).toISOString(), temperature: 12 }
  const plan = { name: 'Cabin', location: { lat: 61.1, lng: 10.4 }, timezone: 'Europe/Oslo' }
  const added = (await browser.call('POST', '/app/buildings', plan)).json
  await browser.call('PATCH', `/app/buildings/${added.id}`, { frost_protection: false, away })
  await browser.call('DELETE', `/app/buildings/${added.id}`)
  const text = 'name: Barn\nlocation: { lat: 1, lng: 2 }\ntimezone: Europe/Oslo\nrooms: []\n'
  await browser.call('POST', '/app/house-file', { text })
  const newRoom = { name: 'Hall', floor_type: 'dry', sensor_id: BATHROOM_SENSOR, valves: [] }
  const hall = (await browser.call('POST', `${building}/rooms`, newRoom)).json
  const valves = [{ gateway_id: world.holder.gatewayIds[0], channel: 3 }]
  await browser.call('PATCH', `/app/rooms/${hall.id}`, { target_temperature: 22, valves, comfort_band: 0.8 })
  await browser.call('DELETE', `/app/rooms/${hall.id}`)
  await browser.call('PUT', `${building}/override`, { boost: 2, hours: 1 })
  await browser.call('DELETE', `${building}/override`)
  await browser.call('POST', `${room}/programme/copies`, { room_ids: world.holder.roomIds })
  await browser.call('GET', `${room}/outlook`)
  await browser.call('GET', `${room}/air`)
  await browser.call('GET', `${building}/house-report?renovated=2025-09-01`)
  await browser.call('GET', `${building}/balancing`)
  const mayWrite = { key: world.holder.writeKey }
  const until = new Date(world.clock.now() + 3_600_000).toISOString()
  await world.call('PUT', `${world.bathroomPath}/override`, { ...mayWrite, body: { target_temperature: 22, until } })
  await world.call('PUT', `${world.buildingPath}/away`, { ...mayWrite, body: { target_temperature: 15, until } })
  await world.call('PUT', `${world.buildingPath}/power-limit`, { ...mayWrite, body: { limit_w: 4200, until } })
  await world.call('POST', `${world.bathroomPath}/feedback`, { ...mayWrite, body: { feeling: 'too_cold' } })
  await browser.call('DELETE', `${room}/proposal`)
  await world.call('GET', `${world.bathroomPath}/outlook`, mayWrite)
  await world.call('GET', `${world.bathroomPath}/air`, mayWrite)
  for (const days of [1, 7, 31, 366]) {
    const to = Math.floor(world.clock.now() / 1000)
    await browser.call('GET', `${room}/history?from=${to - days * 86_400}&to=${to}`)
  }
  const pairing = (await browser.call('POST', `${building}/gateways`, { name: 'loft' })).json
  await browser.call('POST', `/app/gateways/${pairing.gateway_id}/pairing`)
  await world.call('POST', '/app/gateways/pair', { body: { code: pairing.code } })
  await browser.call('DELETE', `/app/gateways/${pairing.gateway_id}`)
  const key = (await browser.call('POST', '/app/keys', { name: 'x', permission: 'read', expires_at: null })).json
  await browser.call('DELETE', `/app/keys/${key.id}`)
  await apps(world, browser)
  const webhook = { url: 'https://receiver.invalid/', events: ['change', 'alert', 'gateway'] }
  const { id: webhookId } = (await browser.call('POST', '/app/webhooks', webhook)).json
  await browser.call('GET', `/app/webhooks/${webhookId}/deliveries`)
  await browser.call('PUT', '/app/password', { current: PASSWORD, next: `${PASSWORD}s` })
  await resetPassword(world.store, world.clock, 'ada@example.org', PASSWORD, { revokeKeys: false })
}

/** One is connected by a page, one by a code on a device; tokens are renewed, given back and ended. */
async function apps(world: World, browser: Browser): Promise<void> {
  const { store, clock, holder } = world
  const client = await registerApp(world)
  const buildings = [{ id: holder.buildingId, permission: 'write' as const }]
  const { answer } = await connect(world, browser, client, buildings)
  const token = answer.json.access_token
  for (const path of ['/v1/buildings', '/v1/log', world.roomsPath]) await world.get(path, { key: token })
  await world.patch({ target_temperature: 20.5 }, { key: token })
  const form = { client_id: client.id, grant_type: 'refresh_token', refresh_token: answer.json.refresh_token }
  const { json } = await post(world, '/oauth/token', form)
  await post(world, '/oauth/revoke', { client_id: client.id, token: json.access_token })
  const device = (await post(world, '/oauth/device_authorization', { client_id: client.id })).json
  const asked = { ...form, grant_type: DEVICE_GRANT, device_code: device.device_code }
  await post(world, '/oauth/token', asked)
  const typed = { user_code: device.user_code }
  await browser.call('POST', '/app/device/look', typed)
  await browser.call('POST', '/app/device', { ...typed, buildings: [{ ...buildings[0], permission: 'read' }] })
  await post(world, '/oauth/token', asked)
  for (const { id } of (await browser.call('GET', '/app/connected-apps')).json)
    await browser.call('DELETE', `/app/connected-apps/${id}`)
  await forgetOauth(store, clock.now())
  await listClients(store)
  await removeClient(store, client.id)
}

async function v1(world: World): Promise<void> {
  for (const key of [world.holder.readKey, 'hyp_wrong']) {
    for (const path of ['/v1/key', '/v1/buildings', world.buildingPath, world.roomsPath, world.bathroomPath]) {
      await world.get(path, { key })
    }
  }
  await world.patch({ target_temperature: 21, sensor_id: BATHROOM_SENSOR, name: 'Bath' })
  await world.patch({ manual_power: { enabled: true, power: 0.5 } })
  for (const query of ['', `?building_id=${world.holder.buildingId}`]) {
    const headers = { accept: 'text/event-stream', 'x-api-key': world.holder.readKey }
    const answer = await world.app.inject({ url: `/v1/events${query}`, headers, payloadAsStream: true })
    for await (const piece of answer.stream()) if (String(piece).startsWith('event: state')) break
  }
}

/** Also those nobody thought of above: reading works, and what changes something at least looks for what is named. */
async function everyRoute(world: World, browser: Browser, routes: string[]): Promise<void> {
  const span = `?from=${Math.floor(world.clock.now() / 1000) - 3600}&to=${Math.floor(world.clock.now() / 1000)}`
  const ids: Record<string, string | undefined> = {
    ':buildingId': world.holder.buildingId,
    ':roomId': world.bathroomId,
    ':gatewayId': world.holder.gatewayIds[0],
  }
  for (const route of routes.filter(
    (each) => / \/(app|v1)\//.test(each) && !/ \/app\/(events|session$)|\*/.test(each),
  )) {
    const [method, pattern = ''] = route.split(' ') as [HTTPMethods, string]
    if (method === 'HEAD' || method === 'DELETE') continue
    const path = pattern.replaceAll(/:\w+/g, (name) => ids[name] ?? 'unknown') + (/history/.test(pattern) ? span : '')
    await browser.call(method, path, method === 'GET' ? undefined : {}, { 'x-api-key': world.holder.writeKey })
  }
}

/** A building becomes unavailable and available again, and its owner is notified. */
async function alerts(world: World, browser: Browser): Promise<void> {
  const { store, clock } = world
  const endpoint = 'https://push.example/phone'
  const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
  await browser.call('PUT', '/app/notifications', { mail: true, language: 'en', muted: [] })
  const device = { endpoint, ...keys, language: 'en' }
  const { devices } = (await browser.call('PUT', '/app/notifications/devices', device)).json
  const push = new PushSender({ store, network: publicNetwork(), contact: 'mailto:nobody@example.org' })
  const notifier = new AlertNotifier({ store, clock, logger: createLogger('silent'), mailer: undefined, push })
  for (let i = 0; i < 8; i++) {
    clock.advance(10 * MINUTE_MS)
    if (i > 4) await world.heartbeat(world.holder.gatewayIds[0])
    await checkDueBuildings({ store, clock, silentAfterS: 300 })
    await notifier.notifySome()
  }
  await webhooks(world, browser)
  await browser.call('GET', '/app/alerts')
  await browser.call('DELETE', `/app/notifications/devices/${devices[0].id}`)
  await forgetOld(store, clock.now())
  await forgetChanges(store, clock.now(), 365)
}

/** One is delivered, one fails, one is refused for good, and the last is removed. */
async function webhooks(world: World, browser: Browser): Promise<void> {
  const { store, clock } = world
  const answers: Answer[] = [204, 500, 410]
  const network = { accepts: () => true, post: async () => answers.shift() ?? 204 }
  const sender = new WebhookSender({ network, authSecret: WEBSITE.authSecret })
  for (let i = 0; i < 3; i++) {
    await world.patch({ target_temperature: 18 + i })
    await gatherChanges(store, clock.now())
    const deliveries = new Deliveries({ store, clock, logger: createLogger('silent'), sender })
    await deliveries.startDue(new AbortController().signal)
    await deliveries.settled()
    clock.advance(MINUTE_MS)
  }
  for (const { id } of (await browser.call('GET', '/app/webhooks')).json) {
    await testWebhook(store, sender, { id, url: 'https://receiver.invalid/' }, () => clock.now())
    await browser.call('DELETE', `/app/webhooks/${id}`)
  }
  await forgetDeliveries(store, clock.now())
}

async function upkeep(world: World): Promise<void> {
  const { store, clock } = world
  await new RevisionWatch(store, clock).changed()
  await stopRun(store, clock, world.holder.buildingId)
  await startSearch(store, clock, world.holder.buildingId)
  clock.advance(MINUTE_MS)
  await advanceLoopRuns(store, clock, { silentAfterS: 300 })
  const current = { temperatureC: 1, cloudPct: 50, windDeg: 10, windMs: 3 }
  const forecast = { startMs: clock.now(), hours: [] }
  const fetched = { updatedAt: clock.now(), expiresAt: clock.now(), lastModified: null, current, forecast }
  const provider = { fetch: async () => fetched as never }
  await updateWeather({ store, clock, logger: createLogger('silent'), provider, random: () => 0 })
  const retention = { rawDays: 1, fiveMinuteDays: 3, hourlyDays: 9, decisionDays: 9 }
  for (const days of [1.5, 5, 12]) await rollUpAll(store, clock.now() + days * 86_400_000, retention)
}

async function commands(world: World): Promise<void> {
  const { store, clock, holder } = world
  const { accountId, buildingId } = holder
  await listAccounts(store)
  await listAllBuildings(store)
  await listKeys(store, accountId)
  await listGateways(store)
  await findRooms(store, buildingId)
  await explainRoom(store, world.bathroomId, clock.now())
  await diagnosisOf(store, { buildingId, roomId: world.bathroomId }, clock.now())
  await mosquittoPasswords(store, 'x'.repeat(20))
  await applyHouse(store, clock, HOUSE, { accountId, overwriteSettings: true, prune: true })
  const added = await addGateway(store, clock, { buildingId, name: 'spare' })
  if (added.kind !== 'added') throw new Error(`no gateway: ${added.kind}`)
  await createPairingCode(store, clock, added.id)
  await rotateToken(store, clock, added.id)
  await removeGateway(store, clock, added.id)
  const [key] = await listKeys(store, accountId)
  await revokeKey(store, clock, { id: key?.id ?? '', accountId })
}
