import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Permission } from '@hypocaust/domain'
import { listeningWorld } from '../../client/test/harness.ts'
import { createAccount } from '../../service/src/accounts/accounts.ts'
import { applyHouse } from '../../service/src/buildings/apply.ts'
import { createKey, revokeKey } from '../../service/src/keys/keys.ts'
import { BATHROOM_SENSOR, HOUSE, MINUTE_MS, type World } from '../../service/test/harness.ts'

/** What a Python test is told through HYPOCAUST_STAGE. */
export interface Stage {
  env: { HYPOCAUST_STAGE: string }
  close(): Promise<void>
}

/** The real service, and stage hands whom a test in another language asks by HTTP. */
export async function setStage(): Promise<Stage> {
  const world = await listeningWorld()
  const hands = stageHands(world)
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
  const { buildingId, roomIds, readKey, writeKey } = world.holder
  const told = {
    url: world.url,
    hands: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    buildingId,
    roomIds,
    readKey,
    writeKey,
    strangersKey: world.stranger.writeKey,
    sensorId: BATHROOM_SENSOR,
  }
  return {
    env: { HYPOCAUST_STAGE: JSON.stringify(told) },
    async close() {
      await new Promise((resolve) => server.close(resolve))
      await world.close()
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each hand knows what it is handed
type Hand = (given: any) => Promise<unknown>

function stageHands(world: World): Record<string, Hand> {
  const { store, clock, holder } = world
  const options = { accountId: holder.accountId, overwriteSettings: false, prune: true }
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
    'account-without-buildings': async () => {
      const created = await createAccount(store, `${crypto.randomUUID()}@example.org`, 'correct horse battery')
      if (created.kind !== 'created') throw new Error(created.kind)
      return createKey(store, clock, {
        accountId: created.account.id,
        name: 'empty',
        permission: 'read',
        expiresAt: null,
      })
    },
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
