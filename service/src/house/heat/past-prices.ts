import { type KnownPrices, pricesAhead } from '@hypocaust/control'
import type { Store } from '../../store/store.ts'
import { areaOfGateways, knownMarketPrices } from '../source/prices/market.ts'
import { pricesByTime } from '../source/prices/times.ts'
import { type EnergyRow, tariffOf } from '../source/settings.ts'

/** What a kWh cost at a moment that is past; null where no tariff is set or its price is not known. */
export type PriceAt = (atMs: number) => number | null

export async function pastPrices(
  store: Store,
  building: EnergyRow & { id: string; timezone: string },
): Promise<PriceAt> {
  const tariff = tariffOf(building)
  switch (tariff?.kind) {
    case undefined:
      return () => null
    case 'fixed':
      return () => tariff.price ?? null
    case 'times':
      return (atMs) => pricesByTime(tariff.steps ?? [], building.timezone, atMs)?.perKwh[0] ?? null
    case 'market':
    case 'gateway': {
      const area = tariff.kind === 'market' ? tariff.area : areaOfGateways(building.id)
      const known = await knownMarketPrices(store, area)
      const { factor = 1, surcharge = 0 } = tariff
      return (atMs) => marketPriceAt(known, atMs, factor, surcharge)
    }
  }
}

function marketPriceAt(known: KnownPrices | null, atMs: number, factor: number, surcharge: number): number | null {
  const price = known && pricesAhead(known, atMs, known.stepS)?.perKwh[0]
  return price === null || price === undefined ? null : factor * price + surcharge
}
