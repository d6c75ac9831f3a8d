import type { RoomPatch } from '@hypocaust/domain'
import fc from 'fast-check'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR, STRANGERS_SENSOR } from './houses.ts'

const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, '').trim())
  .filter((text) => text.length > 0)

const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((power) => power + 0)

const validFields = {
  name,
  target_temperature: fc.double({ min: 7, max: 35, noNaN: true }),
  preset_mode: fc.constantFrom('none', 'low', 'medium', 'high'),
  hvac_mode: fc.constantFrom('heat', 'off'),
  manual_power: fc.record({ enabled: fc.boolean(), power: fraction }, { requiredKeys: [] }),
  sensor_id: fc.constantFrom(BATHROOM_SENSOR, LIVING_ROOM_SENSOR),
}

/** Any fields of a room that may be changed, with values that are taken. */
export const validPatch = fc.record(validFields, { requiredKeys: [] }) as fc.Arbitrary<RoomPatch>

const notText = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()), fc.object())
const notNumber = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.object())
const outside = (min: number, max: number) =>
  fc.oneof(
    fc.double({ max: min, maxExcluded: true, noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: max, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
  )
const otherThan = (...values: string[]) => fc.string().filter((text) => !values.includes(text))

/** A field that is refused, by its name or by its value. */
export const invalidField = fc.oneof(
  fc.record({ name: fc.oneof(notText, fc.constantFrom('', '   ', 'a\u0007b', 'x'.repeat(101))) }),
  fc.record({ target_temperature: fc.oneof(notNumber, outside(7, 35)) }),
  fc.record({ preset_mode: fc.oneof(notText, otherThan('none', 'low', 'medium', 'high')) }),
  fc.record({ hvac_mode: fc.oneof(notText, otherThan('heat', 'off')) }),
  fc.record({ manual_power: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.array(fc.integer())) }),
  fc.record({ manual_power: fc.record({ power: fc.oneof(notNumber, outside(0, 1)) }) }),
  fc.record({ manual_power: fc.record({ enabled: fc.oneof(fc.integer(), fc.string(), fc.constant(null)) }) }),
  fc.record({ manual_power: fc.dictionary(otherThan('enabled', 'power'), fc.integer(), { minKeys: 1 }) }),
  fc.record({ sensor_id: fc.oneof(notText, fc.string(), fc.constant(STRANGERS_SENSOR)) }),
  fc.dictionary(otherThan(...Object.keys(validFields)), fc.jsonValue(), { minKeys: 1, maxKeys: 3 }),
)
