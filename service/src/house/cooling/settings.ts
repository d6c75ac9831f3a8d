import type { SeasonState } from '@hypocaust/control'
import { type COOLING_BLOCKS, type CoolingSettings, coolingProblem, type SourceReport } from '@hypocaust/domain'

export const COOLING_COLUMNS = ['cooling', 'coolingState'] as const

export interface CoolingRow {
  /** Null: nobody has chosen a season, so the building heats. */
  cooling: string | null
  coolingState: string | null
}

/** What was found of a building at its last step, and what follows from it. */
export type CoolingState = SeasonState & {
  blocked: (typeof COOLING_BLOCKS)[number] | null
  /** Of the water that is asked for while it cools. */
  supplyC: number | null
}

export const coolingSettingsOf = ({ cooling }: Pick<CoolingRow, 'cooling'>): CoolingSettings | null =>
  cooling === null ? null : JSON.parse(cooling)

export const coolingStateOf = ({ coolingState }: Pick<CoolingRow, 'coolingState'>): CoolingState | null =>
  coolingState === null ? null : JSON.parse(coolingState)

/** Whether the source of a building cools, as last decided. */
export const isCooling = ({ season, blocked }: CoolingState): boolean => season === 'cooling' && blocked === null

/** Whether the source of a gateway can cool, as the gateway last reported. */
export const canCool = ({ sourceReport }: { sourceReport: string | null }): boolean =>
  sourceReport !== null && (JSON.parse(sourceReport) as SourceReport).cooling !== undefined

/** The water that its gateways are to ask for; null while the building heats. */
export function coolSupplyC(row: CoolingRow): number | null {
  const state = row.cooling === null ? null : coolingStateOf(row)
  return state && isCooling(state) ? state.supplyC : null
}

export const seasonOf = (row: CoolingRow): 'heating' | 'cooling' => (coolSupplyC(row) === null ? 'heating' : 'cooling')

export function coolingColumns(cooling: CoolingSettings | null | undefined): { cooling?: string | null } {
  return cooling === undefined ? {} : { cooling: cooling && JSON.stringify(cooling) }
}

export const coolingProblemOf = (cooling: CoolingSettings | null | undefined): string | null =>
  cooling ? coolingProblem(cooling) : null
