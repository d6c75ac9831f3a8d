import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DAY_MS, HOUR_MS, type Permission, timestampOf } from '@hypocaust/domain'
import { HypocaustClient } from '../../client/src/client.ts'
import { createLogger } from '../../service/src/base/logger.ts'
import type { Refusal } from '../../service/src/doors/http/v1/faults.ts'
import { installationOf } from '../../service/src/doors/installation.ts'
import { HomeAssistantDiscovery } from '../../service/src/doors/mqtt/ha-discovery.ts'
import {
  OLD_TOPICS,
  roomConfig,
  roomState,
  type Topics,
  topicsOf,
} from '../../service/src/doors/mqtt/ha-discovery-messages.ts'
import { airOf } from '../../service/src/house/air/air.ts'
import { applyHouse } from '../../service/src/house/buildings/apply.ts'
import { changeBuilding, removeBuilding } from '../../service/src/house/buildings/manage.ts'
import { changeRoom } from '../../service/src/house/rooms/manage.ts'
import { createAccount } from '../../service/src/people/accounts/accounts.ts'
import { createKey, revokeKey } from '../../service/src/people/keys/keys.ts'
import { listeningWorld } from './client.ts'
import { MINUTE_MS } from './clock.ts'
import { hypocaust, start } from './command.ts'
import { temporaryFolder } from './folder.ts'
import { BATHROOM_SENSOR, HOUSE } from './houses.ts'
import { startMosquitto } from './mosquitto.ts'
import { Party } from './party.ts'
import type { World } from './world.ts'

/** What a Python test gets through HYPOCAUST_STAGE. */
export interface Stage {
  env: { HYPOCAUST_STAGE: string }
  close(): Promise<void>
}

/** The real service before a clock that stands still, and stage hands whom a test in another language asks by HTTP. */
export async function setStage(): Promise<Stage> {
  let refusal: Refusal | null = null
  const refuse = async (given: Partial<Refusal>) => {
    refusal = given.kind ? (given as Refusal) : null
  }
  const world = await listeningWorld({ faults: async () => ({ marks: refusal ? [refusal.kind] : [], refusal }) })
  const hands = await serveHands({ ...stageHands(world), refuse })
  const { buildingId, roomIds, readKey, writeKey } = world.holder
  const stage = {
    url: world.url,
    hands: hands.url,
    buildingId,
    roomIds,
    readKey,
    writeKey,
    strangersKey: world.stranger.writeKey,
  }
  return {
    env: { HYPOCAUST_STAGE: JSON.stringify(stage) },
    async close() {
      await hands.close()
      await world.close()
    },
  }
}

/** The demo as `npm start` runs it, in a process of its own; what its hands do, they do by the command. */
export async function setDemoStage(): Promise<Stage> {
  const folder = temporaryFolder()
  const demo = await start(folder.path, ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error'])
  const [readKey = '', writeKey = ''] = demo.stdout.match(/hyp_\w{38}/g) ?? []
  const [, account = ''] = /Account +(\S+)/.exec(demo.stdout) ?? []
  const client = new HypocaustClient({ baseUrl: demo.url, apiKey: readKey })
  const [building] = await client.listBuildings()
  const buildingId = building?.id ?? ''
  const rooms = await client.listRooms(buildingId)
  const bathroom = rooms.find(({ name }) => name === 'Bathroom')
  const command = async (...args: string[]) => (await hypocaust(folder.path, [...args, '--json'])).json
  const hands = await serveHands({
    bathroom: () => client.getRoom(buildingId, bathroom?.id ?? ''),
    'new-key': ({ permission }) =>
      command('key', 'create', '--account', account, '--name', 'test', '--permission', permission),
    'revoke-key': ({ id }) => command('key', 'revoke', id),
  })
  const roomIds = [bathroom, ...rooms.filter((room) => room !== bathroom)].map((room) => room?.id)
  const stage = { url: demo.url, hands: hands.url, buildingId, roomIds, readKey, writeKey, strangersKey: '' }
  return {
    env: { HYPOCAUST_STAGE: JSON.stringify(stage) },
    async close() {
      await hands.close()
      await demo.end('SIGTERM')
      folder.remove()
    },
  }
}

/** The demo behind a certificate of its own authority, as `hypocaust tls init` makes it. */
export async function setTlsStage(): Promise<Stage> {
  const folder = temporaryFolder()
  const authorityOf = async (command: string): Promise<string> =>
    (await hypocaust(folder.path, ['tls', command, '--json'])).json.authority_sha256
  await authorityOf('init')
  const demo = await start(folder.path, ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error'])
  const [readKey = '', writeKey = ''] = demo.stdout.match(/hyp_\w{38}/g) ?? []
  const hands = await serveHands({ 'tls-show': () => authorityOf('show') })
  const nobody = { buildingId: '', roomIds: ['', ''], strangersKey: '' }
  return {
    env: { HYPOCAUST_STAGE: JSON.stringify({ url: demo.url, hands: hands.url, readKey, writeKey, ...nobody }) },
    async close() {
      await hands.close()
      await demo.end('SIGTERM')
      folder.remove()
    },
  }
}

/** Two services behind one real broker that Home Assistant uses too; the first has rooms there from an older version. */
export async function setBrokerStage(): Promise<Stage> {
  const mosquitto = await startMosquitto()
  const [world, neighbour] = [await listeningWorld(), await listeningWorld()]
  await publishAsBefore(mosquitto.url, world)
  const discoveries: HomeAssistantDiscovery[] = []
  const begin = async ({ store, clock }: World) => {
    const discovery = new HomeAssistantDiscovery({
      store,
      clock,
      logger: createLogger('error'),
      availability: { silentAfterS: 300 },
      url: mosquitto.url,
      installation: await installationOf(store),
      version: '0.0.0',
      onBuildingChanged: () => {},
      everyMs: 100,
    })
    discovery.start()
    discoveries.push(discovery)
  }
  const hands = await serveHands({
    ...stageHands(world),
    upgrade: () => begin(world),
    'start-neighbour': () => begin(neighbour),
  })
  const { buildingId, roomIds, readKey, writeKey } = world.holder
  const stage = { url: world.url, hands: hands.url, buildingId, roomIds, readKey, writeKey, strangersKey: '' }
  const more = { brokerPort: mosquitto.port, neighboursRoomIds: neighbour.holder.roomIds }
  return {
    env: { HYPOCAUST_STAGE: JSON.stringify({ ...stage, ...more }) },
    async close() {
      await hands.close()
      for (const discovery of discoveries) await discovery.stop()
      await mosquitto.stop()
      for (const each of [world, neighbour]) await each.close()
    },
  }
}

/** The bathroom as a version published it whose topics had no installation in them. */
async function publishAsBefore(brokerUrl: string, world: World): Promise<void> {
  const root = 'hypocaust/ha'
  const topics: Topics = {
    ...topicsOf(''),
    service: `${root}/status`,
    state: (id) => `${root}/${id}/state`,
    availability: (id) => `${root}/${id}/availability`,
    command: (id, what) => `${root}/${id}/set/${what}`,
  }
  const { bathroomId, holder } = world
  const bathroom = await world.bathroom()
  const { target_temperature: setpoint, hvac_mode: mode } = bathroom
  const room = { ...bathroom, now: { setpoint, mode, overrideUntil: null } }
  const party = await Party.join(brokerUrl)
  party.say(topics.service, 'online', true)
  party.say(topics.availability(holder.buildingId), 'online', true)
  party.say(
    topics.state(bathroomId),
    roomState(room, (await airOf(world.store, holder.buildingId, world.clock.now())).get(bathroomId), []),
    true,
  )
  const config = roomConfig(
    room,
    { building: { id: holder.buildingId, name: 'Lakeside 12' }, isOneOfSeveral: false },
    topics,
    { name: 'Hypocaust', sw_version: '0.0.0' },
  )
  party.say(OLD_TOPICS.config(bathroomId), config, true)
  await party.on(OLD_TOPICS.config(bathroomId))
  await party.leave()
}

async function serveHands(hands: Record<string, Hand>): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? ''
    try {
      const result = await hands[name]?.(await bodyOf(request))
      response.writeHead(hands[name] ? 200 : 404).end(JSON.stringify(result ?? null))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each hand knows what it is handed
type Hand = (given: any) => Promise<unknown>

function stageHands(world: World): Record<string, Hand> {
  const { store, clock, holder } = world
  const options = { accountId: holder.accountId, overwriteSettings: false, prune: true }
  const newKeyOf = (accountId: string) =>
    createKey(store, clock, { accountId, name: 'other', permission: 'read', expiresAt: null })
  const accountWith = async (buildings: string[]) => {
    const created = await createAccount(store, `${crypto.randomUUID()}@example.org`, 'correct horse battery')
    if (created.kind !== 'created') throw new Error(created.kind)
    const accountId = created.account.id
    for (const name of buildings)
      await applyHouse(store, clock, { ...HOUSE, name, rooms: [] }, { ...options, accountId })
    return { ...(await newKeyOf(accountId)), accountId }
  }
  return {
    reset: () => world.reset(),
    heartbeat: () => world.heartbeat(holder.gatewayIds[0]),
    report: (reading) => world.report(BATHROOM_SENSOR, reading),
    silence: async () => clock.advance(10 * MINUTE_MS),
    patch: async (patch) => (await world.patch(patch)).json,
    bathroom: () => world.bathroom(),
    'lower-bathroom': ({ setback }) =>
      changeRoom(
        store,
        clock,
        { buildingId: holder.buildingId, roomId: world.bathroomId },
        {
          night_mode: setback === 0 ? null : { from: '08:00', to: '20:00', setback },
        },
      ),
    now: async () => timestampOf(clock.now()),
    'new-key': async ({ permission, control = false }: { permission: Permission; control?: boolean }) =>
      createKey(store, clock, { accountId: holder.accountId, name: 'test', permission, expiresAt: null, control }),
    /** What counting leaves behind in the bathroom, which has 10 m². */
    heat: async ({ kwh, costM2 }: { kwh: number; costM2: number }) => {
      const day = timestampOf(clock.now()).slice(0, 10)
      const row = { roomId: world.bathroomId, day, kwhM2: kwh / 10, spread: 0.2, hours: '[]', costM2 }
      await store.db.insertInto('roomHeat').values(row).execute()
      const room = { areaM2: 10, heatCounterKwh: kwh }
      await store.db.updateTable('rooms').set(room).where('id', '=', world.bathroomId).execute()
      const building = { heatCounterKwh: kwh }
      await store.db.updateTable('buildings').set(building).where('id', '=', holder.buildingId).execute()
    },
    past: async ({ days, kwh }: { days: number; kwh: number }) => {
      const { db } = store
      const hours = JSON.stringify(new Array(24).fill((1000 * kwh) / 24 / 10))
      const dayAt = (i: number) => timestampOf(clock.now() - i * DAY_MS).slice(0, 10)
      const row = { roomId: world.bathroomId, kwhM2: kwh / 10, spread: 0.2, hours, costM2: null }
      await db.deleteFrom('roomHeat').execute()
      for (let i = 0; i < days; i++)
        await db
          .insertInto('roomHeat')
          .values({ ...row, day: dayAt(i) })
          .execute()
      const room = { areaM2: 10, heatCounterKwh: 1000 }
      await db.updateTable('rooms').set(room).where('id', '=', world.bathroomId).execute()
      const { sensorId } = await db
        .selectFrom('rooms')
        .select('sensorId')
        .where('id', '=', world.bathroomId)
        .executeTakeFirstOrThrow()
      const last = clock.now() - (clock.now() % HOUR_MS)
      for (let hour = 1; hour <= 24 * days; hour++) {
        const measured = { temperatureC: 20 + (hour % 5), humidityPct: null, measuredAt: last - hour * HOUR_MS }
        await db
          .insertInto('readings')
          .values({ buildingId: holder.buildingId, sensorId, ...measured })
          .execute()
      }
    },
    'new-key-of': ({ id }) => newKeyOf(id),
    'revoke-key': ({ id }) => revokeKey(store, clock, { id }),
    'remove-living-room': async () => {
      await applyHouse(store, clock, { ...HOUSE, rooms: HOUSE.rooms.slice(0, 1) }, options)
    },
    'bring-living-room-back': async () => (await applyHouse(store, clock, HOUSE, options)).rooms.map(({ id }) => id),
    installation: () => installationOf(store),
    'rename-building': ({ id, name }) => changeBuilding(store, clock, id, { name }),
    'delete-building': ({ id }) => removeBuilding(store, id),
    'account-without-buildings': () => accountWith([]),
    'account-with-three-buildings': () => accountWith(['Hut 1', 'Hut 2', 'Hut 3']),
    weather: async (weather) => {
      const row = { buildingId: holder.buildingId, updatedAt: clock.now(), ...weather }
      await store.db.insertInto('weather').values(row).execute()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text ? JSON.parse(text) : {}
}
