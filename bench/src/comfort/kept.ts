import { readFileSync, writeFileSync } from 'node:fs'
import type { PricedResult } from './priced.ts'
import type { SeasonResult } from './season.ts'
import type { Summary } from './summary.ts'

/** What a full run keeps. */
export type ComfortResult = Summary & { learning: SeasonResult[]; prices?: PricedResult[] }

export function writeResult(file: string, result: ComfortResult) {
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
}

/** Replaces the kept results of some priced scenarios. */
export function keepPrices(file: string, priced: PricedResult[]) {
  writeResult(file, withPrices(JSON.parse(readFileSync(file, 'utf8')) as ComfortResult, priced))
}

function withPrices(kept: ComfortResult, priced: PricedResult[]): ComfortResult {
  const replaced = new Set(priced.map(({ choice }) => choice.scenario))
  const others = (kept.prices ?? []).filter(({ choice }) => !replaced.has(choice.scenario))
  return { ...kept, prices: [...others, ...priced] }
}
