import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BuildingRooms } from '../src/house/buildings/building-rooms.ts'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import { bridgeStopped, reportBridge } from '../src/house/buildings/matter-bridge.ts'
import { RevisionWatch } from '../src/house/revisions.ts'
import { changeRoom } from '../src/house/rooms/manage.ts'

const NEWS = { manualCode: '34970112332', qrPayload: 'MT:Y.K9042C00KA0648G00', controllers: 0 }

describe.each(ENGINES)('the Matter bridge of a building on %s', (engine) => {
  let world: World
  let ada: Browser
  let bob: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
    bob = await signedIn(world, 'bob@example.org')
  })
  afterAll(() => world.close())

  const path = () => `/app/buildings/${world.holder.buildingId}/matter`
  const tell = (controllers: number) =>
    reportBridge(world.store, world.clock, world.holder.buildingId, { ...NEWS, controllers })

  test('while none runs, the page tells what to run', async () => {
    expect((await ada.call('GET', path())).json).toEqual({
      command: `hypocaust matter --building ${world.holder.buildingId}`,
      bridge: null,
    })
  })

  test('the code and its picture are shown until a controller is paired', async () => {
    await tell(0)
    const { bridge } = (await ada.call('GET', path())).json
    expect(bridge).toMatchObject({ controllers: 0, pairing: { code: '3497-011-2332' } })
    expect(bridge.pairing.qr).toMatch(/^<svg/)
    await tell(2)
    expect((await ada.call('GET', path())).json.bridge).toEqual({ controllers: 2, pairing: null })
  })

  test('nobody else sees it', async () => {
    expect((await bob.call('GET', path())).status).toBe(404)
  })

  test('one that has stopped, or has been silent for long, does not run', async () => {
    await tell(1)
    await bridgeStopped(world.store, world.holder.buildingId)
    expect((await ada.call('GET', path())).json.bridge).toBeNull()
    await tell(1)
    world.clock.advance(MINUTE_MS)
    expect((await ada.call('GET', path())).json.bridge).toBeNull()
  })

  test('at night it shows the setpoint, and what is dialled holds until the next step', async () => {
    const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
    const rooms = new BuildingRooms(world.store, world.clock, { silentAfterS: 300 }, scope.buildingId)
    const shown = async () => (await rooms.look())?.rooms[0]?.now
    await changeRoom(world.store, world.clock, scope, { night_mode: { from: '08:00', to: '20:00', setback: 3 } })
    expect(await shown()).toMatchObject({ setpoint: 17, mode: 'heat' })
    await rooms.dial(world.bathroomId, 22)
    expect(await shown()).toMatchObject({ setpoint: 22, overrideUntil: '2026-01-10T19:00:00.000Z' })
    expect((await world.bathroom()).target_temperature).toBe(20)
    await changeRoom(world.store, world.clock, scope, { night_mode: null, hvac_mode: 'heat' })
    await rooms.dial(world.bathroomId, 21)
    expect((await world.bathroom()).target_temperature).toBe(21)
  })

  test('it sees the rooms as they are on /v1, and its changes are noticed by the service', async () => {
    const { buildingId } = world.holder
    const rooms = new BuildingRooms(world.store, world.clock, { silentAfterS: 300 }, buildingId)
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.4 })
    expect((await rooms.look())?.rooms).toMatchObject((await world.get(world.roomsPath)).json)
    const revisions = new RevisionWatch(world.store, world.clock)
    await revisions.changed()
    world.clock.advance(1)
    await rooms.patch(world.bathroomId, { target_temperature: 23.5 })
    expect(await revisions.changed()).toEqual([buildingId])
    expect((await world.bathroom()).target_temperature).toBe(23.5)
    await expect(rooms.patch(world.stranger.roomIds[0] as string, { hvac_mode: 'off' })).rejects.toThrow('No such room')
  })

  test('a building that is removed takes its bridge along', async () => {
    const { buildingId } = world.stranger
    await reportBridge(world.store, world.clock, buildingId, NEWS)
    await removeBuilding(world.store, buildingId)
    expect(
      await world.store.db.selectFrom('matterBridges').selectAll().where('buildingId', '=', buildingId).execute(),
    ).toEqual([])
    const rooms = new BuildingRooms(world.store, world.clock, { silentAfterS: 300 }, buildingId)
    expect(await rooms.look()).toBeUndefined()
  })
})
