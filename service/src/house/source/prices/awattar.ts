import { matches } from '@hypocaust/domain'
import Type from 'typebox'
import { getJson, unknownForm } from './get.ts'
import type { PriceProvider } from './market.ts'

const Answer = Type.Object({
  data: Type.Array(
    Type.Object({ start_timestamp: Type.Number(), end_timestamp: Type.Number(), marketprice: Type.Number() }),
  ),
})

/** EPEX day-ahead prices by the hour. The country is in the address (api.awattar.de, api.awattar.at); €/MWh. */
export const awattar = (baseUrl: string, userAgent: string): PriceProvider => ({
  async fetch(_area, { fromMs, toMs }, signal) {
    const url = new URL('/v1/marketdata', baseUrl)
    url.search = new URLSearchParams({ start: String(fromMs), end: String(toMs) }).toString()
    const answer = await getJson(url, userAgent, signal)
    if (!matches(Answer, answer)) throw unknownForm(url)
    return answer.data.map(({ start_timestamp, end_timestamp, marketprice }) => ({
      fromMs: start_timestamp,
      toMs: end_timestamp,
      perKwh: marketprice / 1000,
    }))
  },
})
