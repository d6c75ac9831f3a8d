import { HOUR_MS } from '@hypocaust/domain'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await openWorld('sqlite')
})
afterAll(() => world.close())

test('the outlook shows the activity of the decision that moved the valve, although a new one would have another reason', async () => {
  await world.gatewaysReport()
  await world.report(BATHROOM_SENSOR, { temperatureC: 17 })
  const warmingFor = world.clock.now() + 2 * HOUR_MS
  await world.store.db
    .updateTable('rooms')
    .set({ controlPower: 1, warmingFor })
    .where('id', '=', world.bathroomId)
    .execute()
  const { json } = await world.get(`${world.bathroomPath}/outlook`)
  expect(json).toMatchObject({ activity: 'warming_ahead', heating: true })
})
