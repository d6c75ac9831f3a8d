import { createKey } from '@hypocaust/service'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { reading } from '@hypocaust/testing/test-gateway.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Door, ROUTES } from '../authorisation.ts'

type Method = Parameters<World['call']>[0]

/** Paths that do not answer before something happens. */
const asksAtOnce = ({ operation }: (typeof ROUTES)[number]) => !operation.isStream
const ROUTES_ASKED = ROUTES.filter(asksAtOnce).map(({ door, operation }) => ({ door, ...operation }))

describe.each(ENGINES)('text that cannot be stored, on %s', (engine) => {
  let world: World
  let ada: Browser
  let controlKey: string
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
    const { store, clock, holder } = world
    const key = { accountId: holder.accountId, name: 'k', permission: 'write' as const, expiresAt: null, control: true }
    controlKey = (await createKey(store, clock, key)).value
  })
  afterAll(() => world.close())

  const known = (name: string): string =>
    ({ buildingId: world.holder.buildingId, roomId: world.bathroomId, gatewayId: world.holder.gatewayIds[0] ?? '' })[
      name
    ] ?? '%00'
  const filled = (path: string, idOf: (name: string) => string) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name))

  async function asked(door: Door, method: string, path: string, body?: string) {
    if (door === 'app') return ada.call(method as Method, path, body === undefined ? undefined : JSON.parse(body))
    return world.call(method as Method, path, {
      key: door === 'control' ? controlKey : world.holder.writeKey,
      ...(body !== undefined && { body }),
    })
  }

  /** Something that would be read by every route with a query or a body. */
  const spoiledBody = (names: string[]) => JSON.stringify(Object.fromEntries(names.map((name) => [name, '\u0000'])))

  test.each(ROUTES_ASKED.filter(({ path }) => path.includes('{')))(
    'an id with NUL in it names nothing: $id',
    async ({ door, method, path, body }) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      for (const spoiled of names) {
        const url = filled(path, (name) => (name === spoiled ? '%00' : known(name)))
        const { status } = await asked(door, method, url, body && '{}')
        expect([url, status]).toEqual([url, expect.toBeOneOf([400, 404])])
      }
    },
  )

  test.each(ROUTES_ASKED)(
    'NUL in a query or a body is refused: $id',
    async ({ door, method, path, parameters, body }) => {
      const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
      for (const name of query) {
        const url = `${filled(path, known)}?${name}=%00`
        expect([url, (await asked(door, method, url)).status]).toEqual([url, expect.toBeOneOf([400, 404])])
      }
      if (!body) return
      const { status } = await asked(
        door,
        method,
        filled(path, known),
        spoiledBody(Object.keys(body.properties ?? { name: 1 })),
      )
      expect(status).toBeLessThan(500)
      expect(status).toBeGreaterThanOrEqual(400)
    },
  )

  test('half of a surrogate pair is refused by its name, a whole one is not', async () => {
    const refused = await world.patch('{"name":"\\ud800"}')
    expect(refused).toMatchObject({ status: 400, json: { error: { code: 'invalid_value' } } })
    expect(refused.json.error.message).toContain('name')
    expect((await world.patch('{"name":"\\ud83d\\udd25"}')).json.name).toBe('🔥')
  })

  test.each(['\u0000', '\ud800'])('is refused where a body may have any other text: %j', async (text) => {
    const rules = [{ title: `Guests${text}`, room_ids: null, effect: 'comfort' }]
    const body = JSON.stringify({ name: 'Family', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', rules })
    const path = world.buildingPath.replace('/v1', '/control/v1')
    const { status, json } = await world.call('POST', `${path}/calendars`, { key: controlKey, body })
    expect([status, json.error]).toEqual([
      400,
      { code: 'invalid_value', message: 'rules.title must not contain NUL or half of a surrogate pair.' },
    ])
  })

  test('every id that is none is a building or room that does not exist, however long', async () => {
    for (const id of ['x', 'a'.repeat(101), 'a'.repeat(2000), '%E2%82%AC']) {
      const shown = decodeURIComponent(id)
      const building = await world.get(`/v1/buildings/${id}`)
      expect([building.status, building.json.error.message]).toEqual([404, `No such building: ${shown}`])
      const room = await world.get(`${world.roomsPath}/${id}`)
      expect([room.status, room.json.error.message]).toEqual([404, `No such room: ${shown}`])
    }
  })

  describe('from a gateway', () => {
    let mqtt: MqttWorld
    beforeAll(async () => {
      mqtt = await openMqttWorld({ engine })
    })
    afterAll(() => mqtt.close())

    test('a status with NUL in it is dropped, and what comes with it is stored', async () => {
      const gateway = await mqtt.gateway()
      for (const text of ['\u0000', '\ud800'])
        gateway.party.say(`hypocaust/v1/${gateway.id}/up/status`, { state: 'online', boot: 'b1', version: text })
      await gateway.deliver([reading('ff:03', 20, mqtt.clock.now())])
      const row = await mqtt.store.db
        .selectFrom('gateways')
        .select('version')
        .where('id', '=', gateway.id)
        .executeTakeFirstOrThrow()
      expect(row.version).toBeNull()
      expect(mqtt.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    })
  })
})
