import { DAY_MS, matches } from '@hypocaust/domain'
import Type from 'typebox'
import { getText, unknownForm } from './get.ts'
import type { MarketPrice, PriceProvider } from './market.ts'

const Answer = Type.Object({
  multiAreaEntries: Type.Array(
    Type.Object({
      deliveryStart: Type.String(),
      deliveryEnd: Type.String(),
      entryPerArea: Type.Record(Type.String(), Type.Number()),
    }),
  ),
})

/** One request for each day of delivery; for one that is not published yet the answer is empty. €/MWh. */
export function nordPool(baseUrl: string, userAgent: string): PriceProvider {
  const ofDay = async (area: string, day: string, signal: AbortSignal): Promise<MarketPrice[]> => {
    const url = new URL('/api/DayAheadPrices', baseUrl)
    url.search = new URLSearchParams({ date: day, market: 'DayAhead', deliveryArea: area, currency: 'EUR' }).toString()
    const text = await getText(url, userAgent, signal)
    if (text.trim() === '') return []
    const answer = parsed(text)
    if (!matches(Answer, answer)) throw unknownForm(url)
    return answer.multiAreaEntries.flatMap(({ deliveryStart, deliveryEnd, entryPerArea }) => {
      const price = entryPerArea[area]
      const [fromMs, toMs] = [Date.parse(deliveryStart), Date.parse(deliveryEnd)]
      return price === undefined ? [] : [{ fromMs, toMs, perKwh: price / 1000 }]
    })
  }
  return {
    async fetch(area, { fromMs, toMs }, signal) {
      const prices: MarketPrice[] = []
      for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS)
        prices.push(...(await ofDay(area, new Date(dayMs).toISOString().slice(0, 10), signal)))
      return prices
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
