import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBuilding } from '../src/house/buildings/manage.ts'
import { createPairingCode } from '../src/house/gateways/pairing.ts'

describe.each(ENGINES)('races on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  test('of two buildings of one name added at the same moment, the second is refused as taken, or gets another key', async () => {
    const building = { name: 'Twin', location: { lat: 1, lng: 2 }, timezone: 'Europe/Oslo' }
    const add = () => addBuilding(world.store, world.clock, world.holder.accountId, building)
    for (const result of await Promise.allSettled([add(), add(), add(), add()])) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'taken', status: 409 })
    }
  })

  test('a code for a gateway that was removed meanwhile is refused as not found', async () => {
    const work = createPairingCode(world.store, world.clock, '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e')
    await expect(work).rejects.toMatchObject({ code: 'not_found', status: 404 })
  })
})
