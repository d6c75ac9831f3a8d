import { matches, Room, UUID_PATTERN } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe.each(ENGINES)('rooms on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(() => world.reset())

  const controlDecides = (power: number) =>
    world.store.db.updateTable('rooms').set({ controlPower: power }).where('id', '=', world.bathroomId).execute()

  describe('reading', () => {
    test('one call returns all rooms of the building, in the order of the house', async () => {
      const { status, json } = await world.get(world.roomsPath)
      expect(status).toBe(200)
      expect(json.map((room: Room) => room.name)).toEqual(['Bathroom', 'Living room'])
    })

    test('a room has every field of the specification and no other', async () => {
      await world.report(BATHROOM_SENSOR, { temperatureC: 21.4, humidityPct: 47, batteryPct: 81, rssiDbm: -71 })
      expect(await world.bathroom()).toEqual({
        id: world.bathroomId,
        name: 'Bathroom',
        current_temperature: 21.4,
        current_humidity: 47,
        target_temperature: 20,
        min_temp: 7,
        max_temp: 35,
        hvac_mode: 'heat',
        hvac_modes: ['heat', 'off'],
        hvac_action: 'idle',
        preset_mode: 'none',
        preset_modes: ['none', 'low', 'medium', 'high'],
        manual_power: { enabled: false, power: 0 },
        power: 0,
        sensor_id: BATHROOM_SENSOR,
        sensor: {
          id: BATHROOM_SENSOR,
          temperature: 21.4,
          humidity: 47,
          batt: 81,
          rssi: -71,
          timestamp: '2026-01-10T08:15:03.000Z',
        },
      })
    })

    test('a room matches its own schema', async () => {
      for (const room of (await world.get(world.roomsPath)).json) expect(matches(Room, room)).toBe(true)
    })

    test('a single room is the same as in the list', async () => {
      const [first] = (await world.get(world.roomsPath)).json
      expect(await world.bathroom()).toEqual(first)
    })

    test('ids of buildings and rooms are UUIDs of version 7 in lower case', () => {
      for (const id of [world.holder.buildingId, ...world.holder.roomIds]) {
        expect(id).toMatch(UUID_PATTERN)
        expect(id[14]).toBe('7')
      }
    })

    test('a new room has target 20, preset none and manual power disabled at 0', async () => {
      expect(await world.bathroom()).toMatchObject({
        target_temperature: 20,
        preset_mode: 'none',
        manual_power: { enabled: false, power: 0 },
      })
    })
  })

  describe('hvac_mode', () => {
    test('switching off holds the room at zero power', async () => {
      await controlDecides(0.6)
      const { status, json } = await world.patch({ hvac_mode: 'off' })
      expect(status).toBe(200)
      expect(json).toMatchObject({
        hvac_mode: 'off',
        manual_power: { enabled: true, power: 0 },
        power: 0,
        hvac_action: 'off',
      })
    })

    test('switching back to heat returns control to the heating control', async () => {
      await controlDecides(0.6)
      await world.patch({ hvac_mode: 'off' })
      const { json } = await world.patch({ hvac_mode: 'heat' })
      expect(json).toMatchObject({ hvac_mode: 'heat', manual_power: { enabled: false }, power: 0.6 })
    })

    test('heat also ends a manual override of a room that was heating', async () => {
      await world.patch({ manual_power: { enabled: true, power: 0.4 } })
      const { json } = await world.patch({ hvac_mode: 'heat' })
      expect(json.manual_power).toEqual({ enabled: false, power: 0.4 })
    })

    test.each([
      ['hvac_mode first', '{"hvac_mode":"off","manual_power":{"enabled":true,"power":0.7}}'],
      ['manual_power first', '{"manual_power":{"enabled":true,"power":0.7},"hvac_mode":"off"}'],
    ])('hvac_mode off wins over manual_power, %s', async (_order, body) => {
      const { json } = await world.patch(body)
      expect(json).toMatchObject({ hvac_mode: 'off', manual_power: { enabled: true, power: 0 } })
    })

    test.each([
      ['hvac_mode first', '{"hvac_mode":"heat","manual_power":{"enabled":true,"power":0}}'],
      ['manual_power first', '{"manual_power":{"enabled":true,"power":0},"hvac_mode":"heat"}'],
    ])('hvac_mode heat wins over manual_power, %s', async (_order, body) => {
      const { json } = await world.patch(body)
      expect(json).toMatchObject({ hvac_mode: 'heat', manual_power: { enabled: false } })
    })

    test('a manual_power ignored beside hvac_mode must still be valid', async () => {
      const { status, json } = await world.patch({ hvac_mode: 'off', manual_power: { power: 2 } })
      expect([status, json.error.code]).toEqual([400, 'invalid_value'])
      expect((await world.bathroom()).hvac_mode).toBe('heat')
    })

    test('manual power at zero is the same as off', async () => {
      const { json } = await world.patch({ manual_power: { enabled: true, power: 0 } })
      expect(json).toMatchObject({ hvac_mode: 'off', hvac_action: 'off' })
    })

    test('manual power at zero but disabled is not off', async () => {
      await world.patch({ hvac_mode: 'off' })
      expect((await world.patch({ manual_power: { enabled: false } })).json.hvac_mode).toBe('heat')
    })
  })

  describe('manual power', () => {
    test('a partial override shows as power from the response of its PATCH on', async () => {
      await controlDecides(0.6)
      const { json } = await world.patch({ manual_power: { enabled: true, power: 0.25 } })
      expect(json).toMatchObject({ power: 0.25, hvac_mode: 'heat', hvac_action: 'heating' })
    })

    test('power is used only while enabled', async () => {
      await controlDecides(0.6)
      expect((await world.patch({ manual_power: { enabled: false, power: 0.25 } })).json.power).toBe(0.6)
    })

    test('a member left out keeps its stored value', async () => {
      await world.patch({ manual_power: { power: 0.3 } })
      await world.patch({ manual_power: { enabled: true } })
      expect((await world.bathroom()).manual_power).toEqual({ enabled: true, power: 0.3 })
    })

    test('an empty manual_power changes nothing', async () => {
      await world.patch({ manual_power: { enabled: true, power: 0.3 } })
      const before = await world.bathroom()
      expect((await world.patch({ manual_power: {} })).json).toEqual(before)
    })
  })

  describe('hvac_action', () => {
    test('is heating while the control gives power', async () => {
      await controlDecides(0.03)
      expect(await world.bathroom()).toMatchObject({ power: 0.03, hvac_action: 'heating' })
    })

    test('is idle when on but without power', async () => {
      expect(await world.bathroom()).toMatchObject({ hvac_mode: 'heat', hvac_action: 'idle' })
    })
  })

  describe('the other fields', () => {
    test('an empty PATCH is valid and changes nothing', async () => {
      const before = await world.bathroom()
      const { status, json } = await world.patch({})
      expect(status).toBe(200)
      expect(json).toEqual(before)
    })

    test.each([7, 35, 20.5])('a target of %d is accepted', async (target) => {
      expect((await world.patch({ target_temperature: target })).json.target_temperature).toBe(target)
    })

    test.each(['none', 'low', 'medium', 'high'])(
      'the preset %s is accepted and changes no other field',
      async (preset) => {
        const before = await world.bathroom()
        expect((await world.patch({ preset_mode: preset })).json).toEqual({ ...before, preset_mode: preset })
      },
    )

    test('a name is trimmed', async () => {
      expect((await world.patch({ name: '  Salle d’eau ' })).json.name).toBe('Salle d’eau')
    })

    test('a name of a hundred characters is accepted, also when each takes two UTF-16 units', async () => {
      const name = '🛁'.repeat(100)
      expect((await world.patch({ name })).json.name).toBe(name)
    })

    test('a sensor of the same building is accepted, and two rooms may share it', async () => {
      await world.report(LIVING_ROOM_SENSOR, { temperatureC: 19 })
      const { json } = await world.patch({ sensor_id: LIVING_ROOM_SENSOR })
      expect(json).toMatchObject({ sensor_id: LIVING_ROOM_SENSOR, current_temperature: 19 })
    })

    test('a sensor id in upper case is normalised', async () => {
      expect((await world.patch({ sensor_id: LIVING_ROOM_SENSOR.toUpperCase() })).json.sensor_id).toBe(
        LIVING_ROOM_SENSOR,
      )
    })

    test('several fields change in one PATCH', async () => {
      const { json } = await world.patch({ name: 'Bath', target_temperature: 23, preset_mode: 'high' })
      expect(json).toMatchObject({ name: 'Bath', target_temperature: 23, preset_mode: 'high' })
      expect(await world.bathroom()).toEqual(json)
    })

    test('a change in one room leaves the other as it was', async () => {
      const otherOf = async () => (await world.get(world.roomsPath)).json[1]
      const before = await otherOf()
      await world.patch({ name: 'Bath', hvac_mode: 'off' })
      expect(await otherOf()).toEqual(before)
    })
  })
})
