import {
  applyPatch,
  heldPower,
  hvacActionOf,
  hvacModeOf,
  type SteeringPatch,
  steeringOf,
} from '@hypocaust/domain/facts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const power = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 1, noNaN: true }).map((each) => each + 0),
)
const setting = fc.record({ enabled: fc.boolean(), power })
const manualPower = fc.record({ enabled: fc.boolean(), power }, { requiredKeys: [] })
const anyPatch = fc.record(
  { hvac_mode: fc.constantFrom('heat' as const, 'off' as const), manual_power: manualPower },
  { requiredKeys: [] },
)
const property = (law: (stored: { enabled: boolean; power: number }, patch: SteeringPatch) => void) =>
  fc.assert(fc.property(setting, anyPatch, law))

test('off is manual power held at zero', () => {
  expect(steeringOf({ enabled: true, power: 0 })).toEqual({ kind: 'off' })
  expect(steeringOf({ enabled: true, power: 0.3 })).toEqual({ kind: 'manual', power: 0.3 })
  expect(steeringOf({ enabled: false, power: 0.3 })).toEqual({ kind: 'automatic' })
})

test('hvac_mode wins over manual_power', () => {
  property((stored, patch) => {
    const off = steeringOf(applyPatch(stored, { ...patch, hvac_mode: 'off' }))
    expect(off).toEqual({ kind: 'off' })
    const heat = applyPatch(stored, { ...patch, hvac_mode: 'heat' })
    expect(heat).toEqual({ enabled: false, power: stored.power })
  })
})

test('members that are not sent keep their stored value', () => {
  property((stored, { manual_power }) => {
    expect(applyPatch(stored, manual_power ? { manual_power } : {})).toEqual({ ...stored, ...manual_power })
  })
})

test('a patch sent twice changes nothing the second time', () => {
  property((stored, patch) => {
    const once = applyPatch(stored, patch)
    expect(applyPatch(once, patch)).toEqual(once)
  })
})

test('the heating control decides exactly where manual power is switched off', () => {
  property((stored, patch) => {
    const next = applyPatch(stored, patch)
    expect(heldPower(steeringOf(next))).toBe(next.enabled ? next.power : undefined)
  })
})

test('a room shows off only while it is off and gets no heat', () => {
  property((stored) => {
    const steering = steeringOf(stored)
    expect(hvacModeOf(steering) === 'off').toBe(stored.enabled && stored.power === 0)
    expect(hvacActionOf(steering, 0)).toBe(hvacModeOf(steering) === 'off' ? 'off' : 'idle')
    expect(hvacActionOf(steering, 0.2)).toBe('heating')
  })
})
