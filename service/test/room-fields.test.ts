import type {
  AppRoom,
  AppRoomPatch,
  ChangeEntry,
  HouseRoom,
  NightMode,
  Programme,
  RoomSettingField,
} from '@hypocaust/domain'
import { roomSettings } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, HOUSE, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'

const NIGHT: NightMode = { from: '22:30', to: '05:30', setback: 2 }
const PROGRAMME: Programme = { monday: [{ at: '06:00', setback: 1.5 }] }

type FieldValues<Patch> = { [Field in keyof Required<Patch>]: Required<Patch>[Field] }

describe.each(ENGINES)('fields of a room on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())

  const rooms = async (): Promise<AppRoom[]> => (await ada.call('GET', '/app/buildings')).json[0].rooms
  const bathroom = async () => (await rooms()).find(({ id }) => id === world.bathroomId) as AppRoom

  test('every field that can be changed is stored and read back', async () => {
    const values: FieldValues<AppRoomPatch> = {
      name: 'Spa',
      target_temperature: 23.5,
      hvac_mode: 'off',
      preset_mode: 'medium',
      manual_power: { enabled: true, power: 0.4 },
      sensor_id: LIVING_ROOM_SENSOR,
      floor_type: 'dry',
      area_m2: 7.5,
      storey: 'Upstairs',
      only_watch: true,
      icon: 'bath',
      other_sensors: { use: 'coldest', sensors: [{ id: LIVING_ROOM_SENSOR, weight: 0.5 }] },
      comfort_band: 0.8,
      night_mode: NIGHT,
      programme: PROGRAMME,
      max_floor_temperature: 27,
      surface_factor: 0.62,
      mould_warming: 0.8,
      used_by: ['Anna'],
      cooling_target: 25.5,
      minimum_floor_temperature: [{ temperature: 24, from: '06:00', to: '08:00', days: ['monday'] }],
      target_of: 'floor',
      blinds: { sides: ['south', 'west'], above: 25 },
      floor_sensor_id: BATHROOM_SENSOR,
      valves: [{ gateway_id: world.holder.gatewayIds[1] as string, channel: 5 }],
    }
    for (const [field, value] of Object.entries(values)) {
      const { status, text } = await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, { [field]: value })
      expect([field, status, text]).toEqual([field, 200, expect.any(String)])
      expect([field, (await bathroom())[field as keyof AppRoom]]).toEqual([field, value])
    }
    const { json } = await ada.call('GET', `/app/buildings/${world.holder.buildingId}/changes`)
    const logged = new Map(json.changes.map(({ field, after }: ChangeEntry) => [field, after]))
    for (const field of Object.keys(roomSettings) as RoomSettingField[])
      expect([field, logged.get(field)]).toEqual([field, values[field]])
  })

  test('every field of a room in a house file is stored and read back', async () => {
    const values: FieldValues<Omit<HouseRoom, 'night_mode'>> = {
      key: 'gym',
      name: 'Gym',
      floor_type: 'slab',
      sensor: 'a4:c1:38:5e:01:09',
      valves: [{ gateway: 'attic', channel: 6 }],
      area_m2: 31,
      storey: 'Cellar',
      only_watch: true,
      icon: 'cellar',
      other_sensors: { use: 'mean', sensors: [{ id: 'a4:c1:38:5e:01:0b' }] },
      target_temperature: 18,
      preset_mode: 'low',
      comfort_band: 1.2,
      programme: PROGRAMME,
      max_floor_temperature: 26,
      surface_factor: 0.55,
      mould_warming: 0.5,
      used_by: [],
      cooling_target: 26,
      minimum_floor_temperature: [{ temperature: 25.5, from: '22:00', to: '02:00' }],
      target_of: 'floor',
      blinds: { sides: ['east'], above: 26.5 },
      floor_sensor: 'a4:c1:38:5e:01:0a',
    }
    const options = { accountId: world.holder.accountId, overwriteSettings: false, prune: false }
    await applyHouse(world.store, world.clock, { ...HOUSE, rooms: [...HOUSE.rooms, values] }, options)
    const { key: _, sensor, floor_sensor, valves: __, ...same } = values
    const room = (await rooms()).find(({ name }) => name === 'Gym') as AppRoom
    expect(room).toMatchObject({
      ...same,
      sensor_id: sensor,
      floor_sensor_id: floor_sensor,
      valves: [{ gateway_id: world.holder.gatewayIds[1], channel: 6 }],
    })
  })
  test('a file applied again leaves what it does not name, and null gives the default', async () => {
    const chosen = { area_m2: 11, comfort_band: 0.9, max_floor_temperature: 27, floor_sensor_id: LIVING_ROOM_SENSOR }
    await ada.call('PATCH', `/app/rooms/${world.bathroomId}`, chosen)
    const apply = (room: Partial<HouseRoom>, overwriteSettings = false) => {
      const [first, ...others] = HOUSE.rooms as [HouseRoom, ...HouseRoom[]]
      const house = { ...HOUSE, rooms: [{ ...first, ...room }, ...others] }
      const options = { accountId: world.holder.accountId, overwriteSettings, prune: false }
      return applyHouse(world.store, world.clock, house, options)
    }
    await apply({})
    expect(await bathroom()).toMatchObject(chosen)
    await apply({}, true)
    expect(await bathroom()).toMatchObject(chosen)
    await apply({ area_m2: null, comfort_band: null, max_floor_temperature: null, floor_sensor: null })
    const defaults = { area_m2: null, comfort_band: 0.5, max_floor_temperature: 29, floor_sensor_id: null }
    expect(await bathroom()).toMatchObject(defaults)
  })
})
