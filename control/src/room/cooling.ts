import { DEW_MARGIN_K, HOUR_MS } from '@hypocaust/domain/facts'
import type { Hours, ShutToCooling, StepInput } from './types.ts'

/** In the hour of a moment, and in the last one known after that; null where nothing is. */
export function hourAt(hours: Hours | null | undefined, atMs: number): number | null {
  if (!hours) return null
  const hour = Math.floor((atMs - hours.startMs) / HOUR_MS)
  return hours.hourly[Math.min(hours.hourly.length - 1, Math.max(0, hour))] ?? null
}

/** Of the water that cools: as measured, else as it is asked for. */
export const coolWaterC = ({ cooling, supply }: StepInput, atMs: number): number | null =>
  cooling ? (supply?.measuredC ?? hourAt(cooling.waterC, atMs)) : null

/**
 * Why a loop must stay shut while the building cools; null while it may be open. `floorC`: the surface as the model has it,
 * where there is no probe.
 */
export function shutToCooling(input: StepInput, floorC: number | null): ShutToCooling | null {
  const { cooling, nowMs, floorProbeC } = input
  if (!cooling) return null
  if (cooling.targetC === null) return 'left-out'
  const dewC = hourAt(cooling.dewC, nowMs)
  const waterC = coolWaterC(input, nowMs)
  if (dewC === null || waterC === null) return 'dew-unknown'
  const coldestC = Math.min(waterC, floorProbeC ?? floorC ?? Number.POSITIVE_INFINITY)
  // Written so that what is no number shuts.
  return coldestC >= dewC + DEW_MARGIN_K.planned ? null : 'dew-point'
}
