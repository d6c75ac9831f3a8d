import type { ValueSource } from '../inputs/value.ts'
import type { SupplyDriver } from './drivers.ts'

/** How the source is asked for water, and for which without the service. */
export interface SupplySettings {
  driver: SupplyDriver
  topic: string
  payload: string
  minC: number
  maxC: number
  /** Asked for without the service, unless the curve knows better. */
  fallbackC: number
  curve: FallbackCurve | null
  /** The loops behind a mixer of their own; null: the source. */
  channels: ReadonlySet<number> | null
}

export interface FallbackCurve {
  outdoor: ValueSource
  cold: { outdoorC: number; supplyC: number }
  mild: { outdoorC: number; supplyC: number }
}
