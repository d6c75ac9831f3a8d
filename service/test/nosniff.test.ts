import { openSite } from '@hypocaust/testing/browser.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await openSite('sqlite')
})
afterAll(() => world.close())

test.each(['/v1/key', '/v1/nothing', '/app/session', '/docs/', '/openapi.json', '/health/live'])(
  'a browser does not guess what %s is',
  async (path) => expect((await world.get(path)).headers['x-content-type-options']).toBe('nosniff'),
)
