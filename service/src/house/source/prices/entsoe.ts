import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { getText, unknownForm } from './get.ts'
import type { MarketPrice, PriceProvider } from './market.ts'

/** ENTSO-E's transparency platform; €/MWh. The area is an EIC code, as 10Y1001A1001A82H. The token is the operator's. */
export const entsoe = (baseUrl: string, userAgent: string, token: string): PriceProvider => ({
  async fetch(area, { fromMs, toMs }, signal) {
    const url = new URL('/api', baseUrl)
    url.search = new URLSearchParams({
      securityToken: token,
      documentType: 'A44',
      in_Domain: area,
      out_Domain: area,
      periodStart: minuteText(fromMs),
      periodEnd: minuteText(toMs),
    }).toString()
    const text = await getText(url, userAgent, signal)
    if (/<Acknowledgement_MarketDocument\b/.test(text)) return []
    if (!/<Publication_MarketDocument\b/.test(text)) throw unknownForm(url)
    return publishedPrices(text)
  },
})

const minuteText = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace(/[-:T]/g, '')

const RESOLUTION_MS: Record<string, number> = { PT15M: 15 * MINUTE_MS, PT30M: 30 * MINUTE_MS, PT60M: HOUR_MS }

/**
 * The periods of a publication. Positions that are left out repeat the one before (curve type A03). Of two periods for the
 * same time the finer one counts, which comes last.
 */
export function publishedPrices(xml: string): MarketPrice[] {
  const periods = elements(xml, 'Period').flatMap((period) => {
    const interval = element(period, 'timeInterval') ?? ''
    const fromMs = Date.parse(element(interval, 'start') ?? '')
    const toMs = Date.parse(element(interval, 'end') ?? '')
    const stepMs = RESOLUTION_MS[element(period, 'resolution') ?? '']
    return stepMs && toMs > fromMs && toMs - fromMs <= 32 * 24 * HOUR_MS ? [{ period, fromMs, toMs, stepMs }] : []
  })
  return periods
    .toSorted((a, b) => b.stepMs - a.stepMs)
    .flatMap(({ period, fromMs, toMs, stepMs }) => {
      const byPosition = new Map(
        elements(period, 'Point').map((point) => [
          Number(element(point, 'position')),
          Number(element(point, 'price.amount') ?? Number.NaN),
        ]),
      )
      let last = Number.NaN
      return Array.from({ length: Math.round((toMs - fromMs) / stepMs) }, (_, i) => {
        last = byPosition.get(i + 1) ?? last
        return { fromMs: fromMs + i * stepMs, toMs: fromMs + (i + 1) * stepMs, perKwh: last / 1000 }
      }).filter(({ perKwh }) => Number.isFinite(perKwh))
    })
}

/** The publications have neither attributes on these elements nor text that looks like one. Linear in the text. */
function elements(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`]
  const found: string[] = []
  for (let from = xml.indexOf(open); from >= 0; from = xml.indexOf(open, from)) {
    const end = xml.indexOf(close, from)
    if (end < 0) break
    found.push(xml.slice(from + open.length, end))
    from = end
  }
  return found
}

const element = (xml: string, name: string): string | undefined => elements(xml, name)[0]?.trim()
