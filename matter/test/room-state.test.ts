import fc from 'fast-check'
import { expect, test } from 'vitest'
import { presetOfHandle } from '../src/presets.ts'
import { celsiusOf, differences, labelOf, patchOfSystemMode, roomState } from '../src/room-state.ts'
import type { RoomNow } from '../src/source.ts'

const ROOM: RoomNow = {
  id: '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b',
  name: 'Bathroom',
  current_temperature: 21.4,
  current_humidity: 47.5,
  target_temperature: 22,
  min_temp: 7,
  max_temp: 35,
  hvac_mode: 'heat',
  hvac_modes: ['heat', 'off'],
  hvac_action: 'heating',
  preset_mode: 'none',
  preset_modes: ['none', 'low', 'medium', 'high'],
  manual_power: { enabled: false, power: 0 },
  power: 0.35,
  sensor_id: 'a4:c1:38:5e:01:02',
  sensor: {
    id: 'a4:c1:38:5e:01:02',
    temperature: 21.4,
    humidity: 47.5,
    batt: 81,
    rssi: -71,
    timestamp: '2026-01-10T08:15:03.000Z',
  },
  now: { setpoint: 22, mode: 'heat', overrideUntil: null },
}
const REPORTING = { available: true }

test('a room in Matter’s units', () => {
  expect(roomState(ROOM, REPORTING)).toEqual({
    thermostat: {
      localTemperature: 2140,
      occupiedHeatingSetpoint: 2200,
      systemMode: 4,
      thermostatRunningState: { heat: true },
      presets: [
        { presetHandle: Uint8Array.of(1), presetScenario: 1, heatingSetpoint: 2200, builtIn: true },
        { presetHandle: Uint8Array.of(2), presetScenario: 254, name: 'Boost', heatingSetpoint: 2400, builtIn: true },
      ],
      activePresetHandle: Uint8Array.of(1),
    },
    relativeHumidityMeasurement: { measuredValue: 4750 },
    powerSource: { status: 1, batPercentRemaining: 162, batChargeLevel: 0 },
    bridgedDeviceBasicInformation: { nodeLabel: 'Bathroom', reachable: true },
  })
})

test('what is not known is null, and a building that does not report is not reachable', () => {
  const silent: RoomNow = { ...ROOM, current_temperature: null, current_humidity: null, sensor: null }
  for (const available of [false, null]) {
    expect(roomState(silent, { available })).toMatchObject({
      thermostat: { localTemperature: null },
      relativeHumidityMeasurement: { measuredValue: null },
      powerSource: { status: 0, batPercentRemaining: null },
      bridgedDeviceBasicInformation: { reachable: false },
    })
  }
})

test('what acts now is shown: the setpoint of a night, a timed off, and never less than can be dialled', () => {
  const shown = (now: Partial<RoomNow['now']>) =>
    roomState({ ...ROOM, now: { ...ROOM.now, ...now } }, REPORTING).thermostat
  expect(shown({ setpoint: 19, mode: 'heat' })).toMatchObject({ occupiedHeatingSetpoint: 1900, systemMode: 4 })
  expect(shown({ setpoint: 22, mode: 'off' })).toMatchObject({ systemMode: 0 })
  expect(shown({ setpoint: 5, mode: 'heat' })).toMatchObject({ occupiedHeatingSetpoint: 700 })
})

test('the preset that is active is the target, or a boost while it lasts', () => {
  const active = (now: Partial<RoomNow['now']>) =>
    roomState({ ...ROOM, now: { ...ROOM.now, ...now } }, REPORTING).thermostat.activePresetHandle?.[0]
  const overrideUntil = '2026-01-10T09:00:00.000Z'
  expect(active({})).toBe(1)
  expect(active({ setpoint: 19 })).toBeUndefined()
  expect(active({ setpoint: 24, overrideUntil })).toBe(2)
  expect(active({ setpoint: 24 })).toBeUndefined()
  expect(active({ setpoint: 23, overrideUntil })).toBeUndefined()
  expect(active({ mode: 'off' })).toBeUndefined()
  expect([null, Uint8Array.of(1), Uint8Array.of(2)].map(presetOfHandle)).toEqual([null, 'comfort', 'boost'])
})

test('a preset that is ended, and one with another temperature, are shown anew', () => {
  const state = roomState(ROOM, REPORTING)
  const boosted = { ...ROOM, target_temperature: 21 }
  expect(differences(state, roomState(boosted, REPORTING))?.thermostat).toMatchObject({
    presets: [{ heatingSetpoint: 2100 }, { heatingSetpoint: 2300 }],
    activePresetHandle: null,
  })
})

test('off is off, also while frost protection heats', () => {
  const { thermostat } = roomState(
    { ...ROOM, hvac_mode: 'off', now: { ...ROOM.now, mode: 'off' }, hvac_action: 'heating' },
    REPORTING,
  )
  expect(thermostat).toMatchObject({ systemMode: 0, thermostatRunningState: { heat: true } })
})

test('a low battery is a warning', () => {
  const sensor = { ...(ROOM.sensor as NonNullable<RoomNow['sensor']>), batt: 15 }
  expect(roomState({ ...ROOM, sensor }, REPORTING).powerSource.batChargeLevel).toBe(1)
})

test('only what differs is shown anew', () => {
  const state = roomState(ROOM, REPORTING)
  expect(differences(state, roomState(ROOM, REPORTING))).toBeUndefined()
  const cooler = roomState({ ...ROOM, current_temperature: 21.3, hvac_action: 'idle' }, REPORTING)
  expect(differences(state, cooler)).toEqual({
    thermostat: { localTemperature: 2130, thermostatRunningState: { heat: false } },
  })
})

test('every temperature of a room comes back from Matter as it was, to a hundredth', () => {
  fc.assert(
    fc.property(fc.integer({ min: 700, max: 3500 }), (setpoint) => {
      const room = { ...ROOM, now: { ...ROOM.now, setpoint: celsiusOf(setpoint) } }
      expect(roomState(room, REPORTING).thermostat.occupiedHeatingSetpoint).toBe(setpoint)
    }),
  )
})

test('of Matter’s modes a floor has two', () => {
  const modes = [0, 1, 3, 4, 5, 6, 7, 8, 9].filter((mode) => patchOfSystemMode(mode) !== undefined)
  expect(modes).toEqual([0, 4])
})

test('a label is the beginning of the name, in at most 32 bytes of whole characters', () => {
  expect(labelOf('Wohnzimmer mit Blick über den ÖEG-Steg')).toBe('Wohnzimmer mit Blick über den')
  expect(labelOf('Küche')).toBe('Küche')
  expect(labelOf('👩‍👩‍👧'.repeat(3))).toBe('👩‍👩‍👧')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
      const label = labelOf(name)
      expect(Buffer.byteLength(label)).toBeLessThanOrEqual(32)
      expect(label.isWellFormed()).toBe(true)
      expect(name.trim().startsWith(label)).toBe(true)
    }),
  )
})
