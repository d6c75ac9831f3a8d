import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { furnish, LAKESIDE } from '@hypocaust/testing/houses.ts'
import { learnRoom } from '@hypocaust/testing/learned-room.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outlooksOf } from '../src/house/heating/outlook.ts'
import { raiseLive } from '../src/house/revisions.ts'

const ROOMS = 60
const READS = 10_000
const UNITS_OF_ACCOUNT = 6000

describe.each(ENGINES)('what grows with the rooms of a building is charged by them, on %s', (engine) => {
  let world: World
  let large: string
  beforeAll(async () => {
    world = await openSite(engine, { limits: { read: READS, write: 100 } })
    const { store, clock, holder } = world
    const rooms = Array.from({ length: ROOMS }, (_, i) => ({
      name: `Room ${i}`,
      floor_type: 'dry' as const,
      sensor: `aa:00:00:00:00:${10 + i}`,
      valves: [],
    }))
    const { buildingId, roomIds } = await furnish(store, clock, holder.accountId, { ...LAKESIDE, name: 'Large', rooms })
    large = buildingId
    for (const roomId of roomIds) await learnRoom(store, roomId, 1, clock.now())
  })
  afterAll(() => world.close())

  const costOf = async (path: string): Promise<number> => {
    world.clock.advance(60_000)
    const { status, headers } = await world.get(path)
    expect(status).toBe(200)
    return READS - Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])
  }

  test.each(['house-report', 'balancing'])('a %s', async (name) => {
    expect(await costOf(`${world.buildingPath}/${name}`)).toBe(28 + 8 * 2)
    expect(await costOf(`/v1/buildings/${large}/${name}`)).toBe(28 + 8 * ROOMS)
  })

  test.each(['state', 'alerts'])('a %s that has to be made, for its first reader', async (name) => {
    const path = `/v1/buildings/${large}/${name}`
    const changed = () =>
      world.store.batch([raiseLive.with(world.store, { buildingId: large, nowMs: world.clock.now() })])
    await changed()
    expect(await costOf(path)).toBe(1 + ROOMS / 4)
    const { headers } = await world.get(path)
    expect(headers.ratelimit).toContain(`r=${READS - 2 - ROOMS / 4};`)
    expect(await costOf(`${world.buildingPath}/${name}`)).toBe(1)
  })

  test('a report on the website', async () => {
    const ada = await signedIn(world)
    let answered = 0
    while ((await ada.call('GET', `/app/buildings/${large}/house-report`)).status === 200) answered++
    expect(answered).toBe(Math.ceil(UNITS_OF_ACCOUNT / (28 + 8 * ROOMS)))
  })

  // Between two statements of the other engine the event loop turns as often as it likes.
  test.runIf(engine === 'sqlite')('looking ahead for many rooms lets other requests in between', async () => {
    let turns = 0
    const count = () => {
      turns++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    await outlooksOf(world.store, { silentAfterS: 300 }, world.holder.buildingId, world.clock.now())
    const ofTwo = turns
    await outlooksOf(world.store, { silentAfterS: 300 }, large, world.clock.now())
    clearImmediate(counting)
    expect(turns - ofTwo).toBeGreaterThan(ofTwo + 1)
  })
})
