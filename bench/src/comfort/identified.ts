import type { FloorType } from '@hypocaust/domain'
import { roomPhysics, settledState, stepRoomState } from '@hypocaust/simulator'

/** First order with dead time, as a step test on the book's floor would give it. */
type Identified = { gainK: number; tauS: number; deadS: number }

const known = new Map<FloorType, Identified>()

export function identified(floorType: FloorType): Identified {
  let result = known.get(floorType)
  if (!result) {
    result = stepTest(floorType)
    known.set(floorType, result)
  }
  return result
}

/** Full power from rest at 0 °C outdoors: the final rise, the time to 63 %, and the dead time by the steepest tangent. */
function stepTest(floorType: FloorType): Identified {
  const physics = roomPhysics(floorType, 180)
  const boundary = {
    outdoorC: 0,
    windMs: 3.5,
    solarGainWm2: 0,
    internalWm2: 0,
    neighbourC: 0,
    airChange: 1,
    supply: 'running' as const,
  }
  const cold = { pipeC: 0, surfaceC: 0, airC: 0, wallC: 0 }
  const state = settledState(0)
  Object.assign(state, cold)
  const heated: number[] = []
  for (let minute = 0; minute < 60 * 24 * 40; minute++) {
    stepRoomState(state, physics, boundary, 1, 60)
    heated.push(state.airC)
  }
  const gainK = state.airC
  const tauS = 60 * heated.findIndex((airC) => airC >= 0.632 * gainK)
  let steepest = 1
  for (let i = 10; i < heated.length; i++) if (slope(heated, i) > slope(heated, steepest)) steepest = i
  const deadS = Math.max(60, 60 * steepest - (60 * (heated[steepest] ?? 0)) / Math.max(1e-9, slope(heated, steepest)))
  return { gainK, tauS, deadS }
}

const slope = (series: number[], i: number) => (series[i] ?? 0) - (series[i - 1] ?? 0)
