import { DAY_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { furnish, STRANGERS_HOUSE } from '@hypocaust/testing/houses.ts'
import { openWorld } from '@hypocaust/testing/world.ts'
import { expect, test } from 'vitest'
import { fingerprintOf } from '../src/house/buildings/fingerprint.ts'

test.each(ENGINES)(
  'a change is seen beside a building that was changed while the clock was ahead, on %s',
  async (engine) => {
    const world = await openWorld(engine)
    const { store, clock, holder } = world
    const other = await furnish(store, clock, holder.accountId, STRANGERS_HOUSE)
    await store.db
      .updateTable('buildings')
      .set({ revisedAt: clock.now() + DAY_MS })
      .where('id', '=', other.buildingId)
      .execute()
    const houseNow = async () => (await fingerprintOf(store, holder.accountId, clock.now())).house
    const before = await houseNow()
    expect(await houseNow()).toBe(before)
    await world.patch({ target_temperature: 23.5 })
    expect(await houseNow()).not.toBe(before)
    await world.close()
  },
)
