import type { FallbackCurve } from './settings.ts'

/** The water of the gateway's own curve: a line between two points, and level beyond them. */
export function curveC({ cold, mild }: FallbackCurve, outdoorC: number): number {
  const share = (mild.outdoorC - outdoorC) / (mild.outdoorC - cold.outdoorC)
  return mild.supplyC + Math.min(1, Math.max(0, share)) * (cold.supplyC - mild.supplyC)
}
