import type { ReportedSensor } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { breathedOn } from '../src/setup/breath.ts'

const sensors = (...rises: (number | null)[]): ReportedSensor[] =>
  rises.map((humidity_rise, i) => ({ id: `sensor ${i}`, reading: null, rooms: [], humidity_rise }))

test('the sensor whose humidity rose far more than at the others was breathed on', () => {
  expect(breathedOn(sensors(2, 27, null))).toBe('sensor 1')
  expect(breathedOn(sensors(27))).toBe('sensor 0')
})

test('nobody breathed on a sensor that is a little noisy', () => {
  expect(breathedOn(sensors(6, 0, 2))).toBeUndefined()
  expect(breathedOn(sensors())).toBeUndefined()
})

test('nobody breathed on a sensor when the air of the whole house became damp', () => {
  expect(breathedOn(sensors(14, 17, 15))).toBeUndefined()
})
