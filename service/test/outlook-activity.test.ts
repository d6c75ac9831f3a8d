import { HOUR_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

describe.each(ENGINES)('the floor in the outlook on %s', (engine) => {
  const heated = heatedWorld(engine)
  const outlook = async () => (await heated.world.get(`${heated.world.bathroomPath}/outlook`)).json

  test('is the estimate of the explanation, and unknown before anything was measured', async () => {
    expect(await outlook()).toMatchObject({ floor_temperature: null, floor_measured: false })
    await heated.live(3, 19)
    const { estimate } = (await heated.world.get(`${heated.world.bathroomPath}/explanation`)).json
    const { floor_temperature, floor_measured } = await outlook()
    expect(floor_temperature).toBeCloseTo(estimate.floor, 0)
    expect(floor_measured).toBe(estimate.floor_measured)
  })
})
