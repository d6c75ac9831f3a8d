import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Permission } from '@hypocaust/domain'
import { listeningWorld } from '@hypocaust/testing/client.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { hypocaust, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import { startMosquitto } from '@hypocaust/testing/mosquitto.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { HypocaustClient } from '../../client/src/client.ts'
import { createLogger } from '../../service/src/base/logger.ts'
import type { Refusal } from '../../service/src/doors/http/v1/faults.ts'
import { installationOf } from '../../service/src/doors/installation.ts'
import { HomeAssistantDiscovery } from '../../service/src/doors/mqtt/ha-discovery.ts'
import { applyHouse } from '../../service/src/house/buildings/apply.ts'
import { createAccount } from '../../service/src/people/accounts/accounts.ts'
import { createKey, revokeKey } from '../../service/src/people/keys/keys.ts'

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

/** The service behind a real broker that Home Assistant uses too. */
export async function setBrokerStage(): Promise<Stage> {
  const mosquitto = await startMosquitto()
  const world = await listeningWorld()
  const discovery = new HomeAssistantDiscovery({
    store: world.store,
    clock: world.clock,
    logger: createLogger('error'),
    availability: { silentAfterS: 300 },
    url: mosquitto.url,
    installation: await installationOf(world.store),
    version: '0.0.0',
    onBuildingChanged: () => {},
    everyMs: 100,
  })
  discovery.start()
  const hands = await serveHands(stageHands(world))
  const { buildingId, roomIds, readKey, writeKey } = world.holder
  const stage = { url: world.url, hands: hands.url, buildingId, roomIds, readKey, writeKey, strangersKey: '' }
  return {
    env: { HYPOCAUST_STAGE: JSON.stringify({ ...stage, brokerPort: mosquitto.port }) },
    async close() {
      await hands.close()
      await discovery.stop()
      await mosquitto.stop()
      await world.close()
    },
  }
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
  const accountWith = async (buildings: string[]) => {
    const created = await createAccount(store, `${crypto.randomUUID()}@example.org`, 'correct horse battery')
    if (created.kind !== 'created') throw new Error(created.kind)
    const accountId = created.account.id
    for (const name of buildings)
      await applyHouse(store, clock, { ...HOUSE, name, rooms: [] }, { ...options, accountId })
    return createKey(store, clock, { accountId, name: 'other', permission: 'read', expiresAt: null })
  }
  return {
    reset: () => world.reset(),
    heartbeat: () => world.heartbeat(holder.gatewayIds[0]),
    report: (reading) => world.report(BATHROOM_SENSOR, reading),
    silence: async () => clock.advance(10 * MINUTE_MS),
    patch: async (patch) => (await world.patch(patch)).json,
    bathroom: () => world.bathroom(),
    'new-key': async ({ permission }: { permission: Permission }) =>
      createKey(store, clock, { accountId: holder.accountId, name: 'test', permission, expiresAt: null }),
    'revoke-key': ({ id }) => revokeKey(store, clock, { id }),
    'remove-living-room': async () => {
      await applyHouse(store, clock, { ...HOUSE, rooms: HOUSE.rooms.slice(0, 1) }, options)
    },
    'bring-living-room-back': async () => (await applyHouse(store, clock, HOUSE, options)).rooms.map(({ id }) => id),
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
