import type { KnownPrices } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Tariff } from '@hypocaust/domain'
import type { Logger } from 'pino'
import type { Clock } from '../../../base/clock.ts'
import type { Store } from '../../../store/store.ts'
import { knownUntilMs, withPrices } from './known.ts'
import type { PriceProvider } from './market.ts'

interface PriceParts {
  store: Store
  clock: Clock
  logger: Logger
  provider: PriceProvider
  /** From 0 to 1; spreads requests, so that many services do not ask at the same second. */
  random: () => number
}

/** Prices of the day after are published once a day; asked for until they are there. */
const ASK_EVERY_MS = 30 * MINUTE_MS
const RETRY_MS = 10 * MINUTE_MS
const TIMEOUT_MS = 20_000
/** The first request asks for past days, so that hours not published yet have something to be guessed from. */
const FIRST_DAYS = 7

/** Asks for the prices of every area that a building names and that is due. */
export async function updatePrices(parts: PriceParts): Promise<void> {
  const { store, clock } = parts
  const buildings = await store.db.selectFrom('buildings').select('tariff').where('tariff', 'is not', null).execute()
  const tariffs = buildings.map(({ tariff }) => JSON.parse(tariff ?? 'null') as Tariff)
  const areas = new Set(tariffs.flatMap(({ kind, area }) => (kind === 'market' && area !== undefined ? [area] : [])))
  if (areas.size === 0) return
  const rows = await store.db.selectFrom('marketPrices').selectAll().execute()
  for (const area of areas) {
    const row = rows.find((each) => each.area === area)
    if (!row || row.dueAt <= clock.now()) await updateArea(parts, area, row?.prices ?? null)
  }
}

async function updateArea(parts: PriceParts, area: string, text: string | null): Promise<void> {
  const { clock, logger, provider, random } = parts
  const before = text === null ? null : (JSON.parse(text) as KnownPrices)
  const nowMs = clock.now()
  const today = Math.floor(nowMs / DAY_MS)
  try {
    const span = { fromMs: (today - (before ? 1 : FIRST_DAYS)) * DAY_MS, toMs: (today + 2) * DAY_MS }
    const arrived = await provider.fetch(area, span, AbortSignal.timeout(TIMEOUT_MS))
    const known = withPrices(before, arrived, nowMs)
    // Until the evening of today is all that is known, tomorrow is worth asking for.
    const isAhead = known !== null && knownUntilMs(known) > nowMs + 20 * HOUR_MS
    const waitMs = ASK_EVERY_MS * (isAhead ? 4 : 1) * (1 + random())
    await write(parts.store, area, Math.round(nowMs + waitMs), known && JSON.stringify(known))
  } catch (err) {
    // The last known prices stay; the next attempt is a while away.
    logger.warn({ err, area }, 'no prices')
    await write(parts.store, area, Math.round(nowMs + RETRY_MS * (1 + random())), text)
  }
}

export async function write({ db }: Store, area: string, dueAt: number, prices: string | null): Promise<void> {
  await db
    .insertInto('marketPrices')
    .values({ area, dueAt, prices })
    .onConflict((conflict) => conflict.column('area').doUpdateSet({ dueAt, prices }))
    .execute()
}
