import { aimAt } from './aim.ts'
import { fallbackPower } from './fallback.ts'
import { holdingPower, modelOf, nothingLearned } from './model.ts'
import { sanitised, within } from './sanitise.ts'
import type { RoomControl } from './state.ts'
import type { Decision, Slot, StepInput } from './types.ts'

export type StepResult = { power: number; state: RoomControl; decision: Decision; slot: Slot | null }

/** One tick of one room: state in, power and state out. */
export function stepRoom(previous: RoomControl | null, raw: StepInput): StepResult {
  const input = sanitised(raw)
  const { settings, air, nowMs, floorType, weather } = input
  const before = previous ?? fresh(input)
  const aim = aimAt(settings, nowMs)
  const dtH = Math.min(1, Math.max(0, nowMs - before.updatedMs) / 3_600_000)
  const frost = settings.frostProtection && air.kind === 'fresh' && air.airC < (before.frost ? 6 : 5)
  const off = settings.manualPower.enabled && settings.manualPower.power === 0
  const mode: Decision['mode'] = off ? (frost ? 'frost' : 'off') : settings.manualPower.enabled ? 'manual' : 'heat'
  let integral = before.integral
  let power = 0
  if (mode === 'frost') power = 1
  else if (mode === 'manual') power = settings.manualPower.power
  else if (mode === 'heat' && air.kind === 'fresh') {
    const errorK = aim.targetC - air.airC
    integral = within(integral + 0.05 * errorK * dtH, -0.5, 0.5, 0)
    const outdoorC = weather?.outdoorC ?? 5
    power = within(
      holdingPower(modelOf(floorType, before.learned), aim.targetC, outdoorC) + 0.2 * errorK + integral,
      0,
      1,
      0,
    )
  } else if (mode === 'heat') power = fallbackPower(before, floorType, weather?.outdoorC ?? null)
  const state: RoomControl = { ...before, updatedMs: nowMs, lastAimC: aim.targetC, power, frost, integral }
  const decision: Decision = {
    atMs: nowMs,
    timeZone: settings.timeZone,
    mode,
    power,
    rung: air.kind === 'fresh' ? 'pi' : 'learned-power',
    notices: air.kind === 'fresh' ? [] : ['sensor-lost'],
    caps: [],
    air: air.kind === 'missing' ? null : { airC: air.airC, ageS: air.ageS },
    estimate: null,
    outdoorC: weather?.outdoorC ?? null,
    aim,
    without: null,
    maxFloorC: settings.maxFloorC,
    confidence: 0,
  }
  return { power, state, decision, slot: null }
}

function fresh(input: StepInput): RoomControl {
  return {
    version: 1,
    floorType: input.floorType,
    learned: nothingLearned(),
    updatedMs: input.nowMs,
    lastReadingMs: null,
    lastAimC: input.settings.targetC,
    power: 0,
    frost: false,
    integral: 0,
  }
}
