import { matches } from '@hypocaust/domain'
import Type from 'typebox'
import { getJson, unknownForm } from './get.ts'
import type { PriceProvider } from './market.ts'

const Answer = Type.Object({
  results: Type.Array(
    Type.Object({
      value_inc_vat: Type.Number(),
      valid_from: Type.String(),
      valid_to: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})

/** A fortnight of half hours on one page. */
const PAGE = '1500'

/** Octopus Agile by the half hour, newest first, with tax; p/kWh. The area is a tariff code, as E-1R-AGILE-24-10-01-C. */
export const octopus = (baseUrl: string, userAgent: string): PriceProvider => ({
  async fetch(area, { fromMs, toMs }, signal) {
    // A tariff code is the product between the kind of meter and the letter of the region.
    const product = area.replace(/^E-1R-/, '').replace(/-[A-P]$/, '')
    const url = new URL(`/v1/products/${product}/electricity-tariffs/${area}/standard-unit-rates/`, baseUrl)
    url.search = new URLSearchParams({
      period_from: new Date(fromMs).toISOString(),
      period_to: new Date(toMs).toISOString(),
      page_size: PAGE,
    }).toString()
    const answer = await getJson(url, userAgent, signal)
    if (!matches(Answer, answer)) throw unknownForm(url)
    return answer.results.map(({ value_inc_vat, valid_from, valid_to }) => ({
      fromMs: Date.parse(valid_from),
      toMs: valid_to === null ? toMs : Date.parse(valid_to),
      perKwh: value_inc_vat / 100,
    }))
  },
})
