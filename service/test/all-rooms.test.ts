import { HOUR_MS } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { loggedStateOf, logOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe.each(ENGINES)('all rooms at once, on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  /** The bathroom is off, the living room boosted. */
  beforeEach(async () => {
    world = await world.refurnished()
    const [bathroom, living] = world.holder.roomIds
    await ada.call('PATCH', `/app/rooms/${bathroom}`, { hvac_mode: 'off', target_temperature: 7.5 })
    await ada.call('PUT', `/app/rooms/${living}/override`, { target_temperature: 24, hours: 5 })
  })

  const path = (rest: string) => `/app/buildings/${world.holder.buildingId}${rest}`
  const change = (action: string) => ada.call('POST', path('/all-rooms'), { action })
  const state = () => loggedStateOf(world.store, world.holder.buildingId)
  const rooms = async () => (await ada.call('GET', '/app/buildings')).json.find(isOwn).rooms
  const isOwn = ({ id }: { id: string }) => id === world.holder.buildingId

  test('targets are lowered by a degree, but not below the lowest', async () => {
    expect((await change('lower')).status).toBe(200)
    expect(await rooms()).toMatchObject([
      { target_temperature: 7, hvac_mode: 'off' },
      { target_temperature: 19, override: null },
    ])
  })

  test('rooms are turned off and brought back', async () => {
    await change('off')
    expect(await rooms()).toMatchObject([{ hvac_mode: 'off' }, { hvac_mode: 'off', override: null }])
    await change('back')
    expect(await rooms()).toMatchObject([{ hvac_mode: 'heat' }, { hvac_mode: 'heat', target_temperature: 20 }])
  })

  test.each(['lower', 'off', 'back'])('%s is undone as a whole, overrides included', async (action) => {
    const before = await state()
    const made = (await change(action)).json
    expect(await state()).not.toEqual(before)
    expect((await ada.call('POST', path('/changes/undo'), made)).status).toBe(204)
    expect(await state()).toEqual(before)
  })

  test('undoing leaves alone what was changed meanwhile, and what others changed', async () => {
    const made = (await change('off')).json
    const [bathroom, living] = world.holder.roomIds
    await world.call('PATCH', `${world.roomsPath}/${bathroom}`, {
      key: world.holder.writeKey,
      body: { manual_power: { enabled: true, power: 0.5 } },
    })
    world.clock.advance(HOUR_MS)
    await ada.call('POST', path('/changes/undo'), made)
    expect(await rooms()).toMatchObject([
      { id: bathroom, manual_power: { enabled: true, power: 0.5 } },
      { id: living, hvac_mode: 'heat', override: { target_temperature: 24 } },
    ])
  })

  test('is one entry for each setting of each room, by the person', async () => {
    const { changes } = (await change('back')).json
    const entries = (await logOf(world.store, world.holder.buildingId)).filter(({ sequence }) =>
      changes.includes(sequence),
    )
    expect(entries.map(({ actorName, subject, field }) => [actorName, subject, field]).toSorted()).toEqual([
      ['ada@example.org', 'Bathroom', 'manual_power'],
      ['ada@example.org', 'Living room', 'override'],
    ])
  })
})
