import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { HOUSE } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'

describe.each(ENGINES)('order and storeys of rooms on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())

  const shown = async () => (await ada.call('GET', '/app/buildings')).json[0].rooms
  const names = async () => (await shown()).map(({ name }: { name: string }) => name)
  const order = (room_order: string[] | null) =>
    ada.call('PATCH', `/app/buildings/${world.holder.buildingId}`, { room_order })

  test('the website shows rooms in the chosen order, new ones last; /v1 keeps that of the house file', async () => {
    const [bathroom, living] = world.holder.roomIds as [string, string]
    expect((await order([living, bathroom])).status).toBe(200)
    expect(await names()).toEqual(['Living room', 'Bathroom'])
    const listed = (await world.get(world.roomsPath)).json.map(({ name }: { name: string }) => name)
    expect(listed).toEqual(['Bathroom', 'Living room'])
    await order([living])
    expect(await names()).toEqual(['Living room', 'Bathroom'])
    await order(null)
    expect(await names()).toEqual(['Bathroom', 'Living room'])
  })

  test('a storey comes from the page or from the house file, which takes none away', async () => {
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { storey: ' Upstairs ' })
    expect((await shown())[0].storey).toBe('Upstairs')
    const options = { accountId: world.holder.accountId, overwriteSettings: false, prune: false }
    const [bathroom, living] = HOUSE.rooms
    const rooms = [bathroom, { ...living, storey: 'Ground floor' }] as typeof HOUSE.rooms
    await applyHouse(world.store, world.clock, { ...HOUSE, rooms }, options)
    expect((await shown()).map(({ storey }: { storey: string }) => storey)).toEqual(['Upstairs', 'Ground floor'])
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { storey: null })
    expect((await shown())[0].storey).toBe(null)
  })

  test('an icon comes from the page or from the house file; /v1 has none', async () => {
    const icons = async () => (await shown()).map(({ icon }: { icon: string | null }) => icon)
    expect(await icons()).toEqual([null, null])
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { icon: 'bath' })
    const options = { accountId: world.holder.accountId, overwriteSettings: false, prune: false }
    const [bathroom, living] = HOUSE.rooms
    const rooms = [bathroom, { ...living, icon: 'living' }] as typeof HOUSE.rooms
    await applyHouse(world.store, world.clock, { ...HOUSE, rooms }, options)
    expect(await icons()).toEqual(['bath', 'living'])
    const unknown = await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { icon: 'castle' })
    expect(unknown.status).toBe(400)
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { icon: null })
    expect(await icons()).toEqual([null, 'living'])
    const { json } = await world.call('GET', `/v1/buildings/${world.holder.buildingId}/rooms`, {
      key: world.holder.readKey,
    })
    expect(JSON.stringify(json)).not.toContain('icon')
  })
})
