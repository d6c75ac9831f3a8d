import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Access = 'open' | 'any key' | 'write key' | 'key of the control'

/** Who may call what. A new route is refused by this test until it has a line here. */
const REVIEWED: Record<string, Access> = {
  'GET /openapi.json': 'open',
  'GET /docs': 'open',
  'GET /docs/': 'open',
  'GET /docs/js/scalar.js': 'open',
  'GET /docs/js/start.js': 'open',
  'GET /health/live': 'open',
  'GET /health/ready': 'open',
  'GET /metrics': 'open',
  // The forms of the website's interface, and nothing of what is in it.
  'GET /app/openapi.json': 'open',
  // Open with a pairing code, which is a key of its own.
  'POST /app/gateways/pair': 'open',
  'GET /v1/buildings': 'any key',
  'GET /v1/buildings/:buildingId': 'any key',
  'GET /v1/buildings/:buildingId/rooms': 'any key',
  'GET /v1/buildings/:buildingId/rooms/:roomId': 'any key',
  'GET /v1/buildings/:buildingId/alerts': 'any key',
  'GET /v1/buildings/:buildingId/rooms/:roomId/history': 'any key',
  'GET /v1/buildings/:buildingId/rooms/:roomId/explanation': 'any key',
  'GET /v1/buildings/:buildingId/rooms/:roomId/diagnosis': 'any key',
  'PATCH /v1/buildings/:buildingId/rooms/:roomId': 'write key',
  'GET /v1/buildings/:buildingId/away': 'any key',
  'PUT /v1/buildings/:buildingId/away': 'write key',
  'DELETE /v1/buildings/:buildingId/away': 'write key',
  'GET /v1/buildings/:buildingId/power-limit': 'any key',
  'PUT /v1/buildings/:buildingId/power-limit': 'write key',
  'DELETE /v1/buildings/:buildingId/power-limit': 'write key',
  'GET /v1/buildings/:buildingId/presence': 'any key',
  'PUT /v1/buildings/:buildingId/presence': 'write key',
  'GET /v1/buildings/:buildingId/rooms/:roomId/override': 'any key',
  'PUT /v1/buildings/:buildingId/rooms/:roomId/override': 'write key',
  'DELETE /v1/buildings/:buildingId/rooms/:roomId/override': 'write key',
  'POST /v1/buildings/:buildingId/rooms/:roomId/feedback': 'write key',
  'GET /v1/buildings/:buildingId/energy': 'any key',
  'GET /v1/buildings/:buildingId/house-report': 'any key',
  'GET /v1/buildings/:buildingId/balancing': 'any key',
  'GET /v1/buildings/:buildingId/rooms/:roomId/energy': 'any key',
  'GET /v1/buildings/:buildingId/rooms/:roomId/air': 'any key',
  'GET /v1/buildings/:buildingId/rooms/:roomId/outlook': 'any key',
  'GET /v1/buildings/:buildingId/state': 'any key',
  'GET /v1/changes': 'any key',
  'GET /v1/events': 'any key',
  'GET /v1/log': 'any key',
  'PATCH /v1/buildings/:buildingId/rooms': 'write key',
  'GET /control/openapi.json': 'open',
  'GET /control/v1/buildings/:buildingId/rooms/:roomId/programme': 'key of the control',
  'PUT /control/v1/buildings/:buildingId/rooms/:roomId/programme': 'key of the control',
  'DELETE /control/v1/buildings/:buildingId/rooms/:roomId/programme': 'key of the control',
  'POST /control/v1/buildings/:buildingId/rooms/:roomId/programme/copies': 'key of the control',
  'GET /control/v1/buildings/:buildingId/rooms/:roomId/comfort': 'key of the control',
  'PATCH /control/v1/buildings/:buildingId/rooms/:roomId/comfort': 'key of the control',
  'GET /control/v1/buildings/:buildingId/comfort': 'key of the control',
  'PUT /control/v1/buildings/:buildingId/comfort': 'key of the control',
  'GET /control/v1/buildings/:buildingId/cooling': 'key of the control',
  'PUT /control/v1/buildings/:buildingId/cooling': 'key of the control',
  'GET /control/v1/buildings/:buildingId/hot-water': 'key of the control',
  'PUT /control/v1/buildings/:buildingId/hot-water': 'key of the control',
  'GET /control/v1/buildings/:buildingId/flexibility': 'key of the control',
  'GET /control/v1/flexibility': 'key of the control',
  'GET /control/v1/buildings/:buildingId/calendars': 'key of the control',
  'POST /control/v1/buildings/:buildingId/calendars': 'key of the control',
  'PUT /control/v1/buildings/:buildingId/calendars/:calendarId': 'key of the control',
  'DELETE /control/v1/buildings/:buildingId/calendars/:calendarId': 'key of the control',
  'GET /control/v1/buildings/:buildingId/rooms/:roomId/programme/calendar': 'key of the control',
  'GET /v1/key': 'any key',
  'POST /mcp': 'any key',
}

const registered = new Set<string>()
let world: World

beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) registered.add(`${name} ${url}`)
    })
  }
  subscribe('fastify.initialization', watch)
  world = await openWorld('sqlite')
  unsubscribe('fastify.initialization', watch)
})
afterAll(() => world.close())

const call = (route: string, key?: string) => {
  const [method, url = ''] = route.split(' ')
  const path = url.replace(':buildingId', world.holder.buildingId).replace(':roomId', world.bathroomId)
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: {} }
  return world.call(method as HTTPMethods, path, { ...(key !== undefined && { key }), ...body })
}

test('every registered route is on the reviewed list, and the other way round', () => {
  const expected = Object.keys(REVIEWED).flatMap((route) =>
    route.startsWith('GET ') ? [route, route.replace('GET', 'HEAD')] : [route],
  )
  expect([...registered].sort()).toEqual(expected.sort())
})

test.each(Object.entries(REVIEWED))('%s is for: %s', async (route, access) => {
  const { readKey, writeKey } = world.holder
  const statuses = [
    await call(route),
    await call(route, 'hyp_wrong'),
    await call(route, readKey),
    await call(route, writeKey),
  ]
  const isRefused = statuses.map(({ status }) => status === 401 || status === 403)
  const expected = {
    open: [false, false, false, false],
    'any key': [true, true, false, false],
    'write key': [true, true, true, false],
    // Neither of the two keys was made for it.
    'key of the control': [true, true, true, true],
  }
  expect(isRefused).toEqual(expected[access])
  for (const { status } of statuses) expect(status).toBeLessThan(500)
})

test.each(Object.keys(REVIEWED).filter((route) => /^GET \/(control\/)?v1\//.test(route)))(
  'HEAD needs a key as well: %s',
  async (route) => {
    expect((await call(route.replace('GET', 'HEAD'))).status).toBe(401)
  },
)
