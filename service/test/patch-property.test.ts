import type { RoomPatch } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { invalidField, validPatch } from '@hypocaust/testing/patches.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

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
