import type { PricedResult } from './priced.ts'
import type { SeasonResult } from './season.ts'
import type { Summary } from './summary.ts'

/** What a full run keeps. */
export type ComfortResult = Summary & { learning: SeasonResult[]; prices?: PricedResult[] }

/** The kept results with those of some priced scenarios replaced. */
export function withPrices(kept: ComfortResult, priced: PricedResult[]): ComfortResult {
  const replaced = new Set(priced.map(({ choice }) => choice.scenario))
  const others = (kept.prices ?? []).filter(({ choice }) => !replaced.has(choice.scenario))
  return { ...kept, prices: [...others, ...priced] }
}
