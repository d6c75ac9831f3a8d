import type { Series, SourceReport, Tariff } from '@hypocaust/domain'
import type { Clock } from '../../../base/clock.ts'
import type { Store } from '../../../store/store.ts'
import { withPrices } from './known.ts'
import { areaOfGateways, knownMarketPrices, type MarketPrice } from './market.ts'
import { write } from './updates.ts'

/** Keeps the prices that gateways report, for the buildings whose tariff goes by them. */
export async function keepGatewayPrices(store: Store, clock: Clock): Promise<void> {
  const nowMs = clock.now()
  const rows = await store.db
    .selectFrom('gateways')
    .innerJoin('buildings', 'buildings.id', 'gateways.buildingId')
    .select(['buildings.id', 'buildings.tariff', 'gateways.sourceReport'])
    .where('buildings.tariff', 'like', '%"gateway"%')
    .where('gateways.sourceReport', 'is not', null)
    .execute()
  for (const { id, tariff, sourceReport } of rows) {
    const { prices } = JSON.parse(sourceReport ?? '{}') as SourceReport
    if ((JSON.parse(tariff ?? 'null') as Tariff).kind !== 'gateway' || !prices) continue
    const area = areaOfGateways(id)
    const before = await knownMarketPrices(store, area)
    const known = JSON.stringify(withPrices(before, spansOf(prices), nowMs))
    if (known !== JSON.stringify(before)) await write(store, area, nowMs, known)
  }
}

function spansOf({ start, step_s, values }: Series): MarketPrice[] {
  const startMs = Date.parse(start)
  const stepMs = step_s * 1000
  return values.map((perKwh, i) => ({ fromMs: startMs + i * stepMs, toMs: startMs + (i + 1) * stepMs, perKwh }))
}
