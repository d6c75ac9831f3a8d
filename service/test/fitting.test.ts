import { HOUR_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../src/base/metrics.ts'
import { explainRoom } from '../src/house/heating/explanation.ts'
import { Fitting } from '../src/house/heating/fitting.ts'

const HALF_HOUR_MS = HOUR_MS / 2

describe.each(ENGINES)('learning rooms on %s', (engine) => {
  const house = heatedWorld(engine)
  const { live } = house
  let world: World
  let fitting: Fitting

  beforeEach(async () => {
    world = house.world
    const { store, clock } = world
    fitting = new Fitting({ metrics: createMetrics(), store, clock, heating: house.heating, afterFit: async () => {} })
    await live(1, 20)
    const endOf = (index: number) => Math.floor(clock.now() / HALF_HOUR_MS) * HALF_HOUR_MS - index * HALF_HOUR_MS
    const slots = Array.from({ length: 240 }, (_, index) => {
      const airC = 20 + Math.sin(index / 8)
      return { endMs: endOf(239 - index), airC, power: index % 16 < 6 ? 0.6 : 0, outdoorC: 0, windMs: 3, solarWm2: 0 }
    })
    const rows = slots.map((slot) => ({ roomId: world.bathroomId, endsAt: slot.endMs, slot: JSON.stringify(slot) }))
    await store.db.insertInto('roomSlots').values(rows).execute()
  })

  const fitAll = async () => {
    while (await fitting.fitNext());
  }

  const keptState = async () => {
    const { db } = world.store
    const kept = db.selectFrom('controlStates').select('state').where('roomId', '=', world.bathroomId)
    return (await kept.executeTakeFirstOrThrow()).state
  }

  const replaceState = (state: string) =>
    world.store.db.updateTable('controlStates').set({ state }).where('roomId', '=', world.bathroomId).execute()

  const modeNow = async () => (await explainRoom(world.store, world.bathroomId, world.clock.now()))?.decision.mode

  const fitAllAndGoOn = async () => {
    await fitAll()
    await fitting.stop()
    expect(JSON.parse(await keptState()).fit.tried).toBe(1)
    await live(1, 20)
    expect(await modeNow()).toBe('heat')
  }

  test('rooms are fitted one at a time from their recorded half hours, and keep what they learned', fitAllAndGoOn)

  test('a state that cannot be fitted holds up neither its house nor the next fit', async () => {
    const good = await keptState()
    await replaceState('{}')
    await expect(fitAll()).rejects.toThrow()
    await replaceState(good)
    world.clock.advance(2 * HOUR_MS)
    await fitAllAndGoOn()
  })

  test('a fit that is due when the service stops is given up', async () => {
    const fitted = fitAll()
    await fitting.stop()
    await expect(fitted).rejects.toThrow()
  })
})
