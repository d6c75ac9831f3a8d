import { type Model, supplyC } from '../model/model.ts'
import type { Supply } from './types.ts'

/** Of the water in an open loop, where it is known: water that stands says nothing. */
export function waterNowC(supply: Supply | null | undefined, power: number): number | null {
  return supply && power > 0 ? (supply.measuredC ?? supply.setC) : null
}

/** The warmest water that may come, for the limit of the floor: the source may be warmer than asked for. */
export function warmestWaterC(supply: Supply | null | undefined, model: Model, outdoorC: number): number | null {
  if (!supply) return null
  const { measuredC, setC } = supply
  const expectedC = setC ?? supplyC(model, outdoorC)
  return measuredC === null || expectedC === null ? setC : Math.max(measuredC, expectedC)
}
