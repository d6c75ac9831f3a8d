import type { RoomPatch } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR, STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

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

const validPatch = fc.record(validFields, { requiredKeys: [] }) as fc.Arbitrary<RoomPatch>

const notText = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()), fc.object())
const notNumber = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.object())
const outside = (min: number, max: number) =>
  fc.oneof(
    fc.double({ max: min, maxExcluded: true, noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: max, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
  )
const otherThan = (...values: string[]) => fc.string().filter((text) => !values.includes(text))

const invalidField = fc.oneof(
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

/** What a room must look like after a PATCH: written from the specification, not from the code. */
function expected(before: Record<string, unknown>, patch: RoomPatch) {
  const { hvac_mode, manual_power, ...plain } = patch
  const stored = before.manual_power as { enabled: boolean; power: number }
  const manual =
    hvac_mode === 'off'
      ? { enabled: true, power: 0 }
      : hvac_mode === 'heat'
        ? { ...stored, enabled: false }
        : { ...stored, ...manual_power }
  const isOff = manual.enabled && manual.power === 0
  const power = manual.enabled ? manual.power : 0.35
  return {
    ...before,
    ...plain,
    manual_power: manual,
    hvac_mode: isOff ? 'off' : 'heat',
    power,
    hvac_action: isOff ? 'off' : power > 0 ? 'heating' : 'idle',
  }
}

describe.each(ENGINES)('PATCH on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await world.reset()
    await world.store.db.updateTable('rooms').set({ controlPower: 0.35 }).where('id', '=', world.bathroomId).execute()
  })

  test('any subset of valid fields changes exactly those', async () => {
    await fc.assert(
      fc.asyncProperty(validPatch, async (patch) => {
        const before = await world.bathroom()
        const { status, json } = await world.patch(patch)
        expect(status).toBe(200)
        expect(json).toEqual(expected(before, patch))
        expect(await world.bathroom()).toEqual(json)
      }),
      { numRuns: runs(150) },
    )
  })

  test('one invalid field beside any valid ones is refused with 400 and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(validPatch, invalidField, async (valid, invalid) => {
        const before = await world.bathroom()
        const { status, json } = await world.patch({ ...valid, ...invalid })
        expect(status).toBe(400)
        expect(['invalid_value', 'unknown_field', 'unknown_sensor']).toContain(json.error.code)
        expect(await world.bathroom()).toEqual(before)
      }),
      { numRuns: runs(250) },
    )
  })

  test('hvac_mode and manual_power never disagree, whatever is sent in whatever sequence', async () => {
    const anything = fc.oneof(validPatch, invalidField)
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { minLength: 1, maxLength: 6 }), async (patches) => {
        for (const patch of patches) await world.patch(patch)
        const { hvac_mode, manual_power } = await world.bathroom()
        expect(hvac_mode === 'off').toBe(manual_power.enabled && manual_power.power === 0)
      }),
      { numRuns: runs(60) },
    )
  })
})
