import { type KnownPrices, type Prices, pricesAhead } from '@hypocaust/control'
import type { Tariff } from '@hypocaust/domain'
import { parsedOnce } from '../../../base/parsed-once.ts'
import { statement } from '../../../store/statement.ts'
import type { Store } from '../../../store/store.ts'
import { AHEAD_S } from './times.ts'

/** A price of the market for a span of time, in the currency of the source, for a kWh. */
export interface MarketPrice {
  fromMs: number
  toMs: number
  perKwh: number
}

/** A source of day-ahead prices. It learns the area and the days, and nothing of a building. */
export interface PriceProvider {
  fetch(area: string, span: { fromMs: number; toMs: number }, signal: AbortSignal): Promise<MarketPrice[]>
}

const pricesOf = statement((db, { area }: { area: string }) =>
  db.selectFrom('marketPrices').select('prices').where('area', '=', area),
)

/** Under which the prices of a building's own gateways are kept: no area of a market has a colon. */
export const areaOfGateways = (buildingId: string): string => `building:${buildingId}`

/** A few kB each: the areas of markets, and buildings whose gateways know prices. */
const MOST_KEPT = 1000
const parsed = parsedOnce<KnownPrices>(MOST_KEPT)

/** As the source gave them, without taxes and fees. */
export async function knownMarketPrices(store: Store, area: string | undefined): Promise<KnownPrices | null> {
  if (area === undefined) return null
  const row = await pricesOf.first(store, { area })
  return row?.prices ? parsed(area, row.prices) : null
}

/** What a kWh costs from now on by the market, with what taxes and fees make of it; null where no price is known. */
export async function marketPricesFor(
  store: Store,
  { factor = 1, surcharge = 0 }: Tariff,
  area: string | undefined,
  nowMs: number,
): Promise<Prices | null> {
  const known = await knownMarketPrices(store, area)
  const ahead = known && pricesAhead(known, nowMs, AHEAD_S)
  return ahead && { ...ahead, perKwh: ahead.perKwh.map((price) => factor * price + surcharge) }
}
