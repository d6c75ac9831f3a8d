import { type Energy, type HeatSource as LawSource, PRIOR_QUALITY, PRIOR_SHARE, qualityOf } from '@hypocaust/control'
import type { HeatSource } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { type LearnedRow, learnedSourceOf } from './learned.ts'
import { areaOfGateways, marketPricesFor } from './prices/market.ts'
import { pricesByTime } from './prices/times.ts'
import { type EnergyRow, heatSourceOf, tariffOf } from './settings.ts'

/** What the heat of a building costs from now on, as the law takes it; null where nothing is set. */
export async function energyFor(
  store: Store,
  building: EnergyRow & LearnedRow & { id: string; timezone: string },
  nowMs: number,
): Promise<Energy | null> {
  const source = lawSourceOf(building)
  const prices = await pricesFor(store, building, nowMs)
  return source || prices ? { prices, source } : null
}

/** What makes the heat, with what its meters have taught; null where it is not set. */
export function lawSourceOf(building: EnergyRow & LearnedRow): LawSource | null {
  const source = heatSourceOf(building)
  if (!source) return null
  const learned = learnedSourceOf(building)
  const law = lawSource(source)
  return law.kind === 'heat-pump' && learned ? { ...law, quality: learned.quality } : law
}

/** Whether a tariff goes by prices that nobody has published yet. */
export async function lacksPrices(
  store: Store,
  building: EnergyRow & { id: string; timezone: string },
  nowMs: number,
): Promise<boolean> {
  const kind = tariffOf(building)?.kind
  return (kind === 'market' || kind === 'gateway') && (await pricesFor(store, building, nowMs)) === null
}

async function pricesFor(store: Store, building: EnergyRow & { id: string; timezone: string }, nowMs: number) {
  const tariff = tariffOf(building)
  switch (tariff?.kind) {
    case undefined:
    case 'fixed':
      // The law asks when heat is cheap, and one price is never cheaper than itself.
      return null
    case 'times':
      return pricesByTime(tariff.steps ?? [], building.timezone, nowMs)
    case 'market':
      return marketPricesFor(store, tariff, tariff.area, nowMs)
    case 'gateway':
      return marketPricesFor(store, tariff, areaOfGateways(building.id), nowMs)
  }
}

export function lawSource({ kind, efficiency, cop }: HeatSource): LawSource {
  return kind === 'heat_pump'
    ? { kind: 'heat-pump', quality: cop === undefined ? PRIOR_QUALITY : qualityOf(cop) }
    : { kind, share: efficiency ?? PRIOR_SHARE[kind] }
}
