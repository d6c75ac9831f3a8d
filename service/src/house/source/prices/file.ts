import { readFile } from 'node:fs/promises'
import { MOMENT_PATTERN, matches } from '@hypocaust/domain'
import Type from 'typebox'
import { parse } from 'yaml'
import type { PriceProvider } from './market.ts'

/** `prices[0]` holds from `start` on, for `step_minutes`; currency for a kWh. */
const File = Type.Object({
  start: Type.String({ pattern: MOMENT_PATTERN }),
  step_minutes: Type.Union([Type.Literal(15), Type.Literal(30), Type.Literal(60)]),
  prices: Type.Array(Type.Number(), { minItems: 1, maxItems: 10_000 }),
})

/** Prices from a file that another program writes, the same in every area. */
export const fileOfPrices = (path: string): PriceProvider => ({
  async fetch() {
    const content: unknown = parse(await readFile(path, 'utf8'))
    if (!matches(File, content))
      throw new Error(`${path}: expected start as 2026-01-10T00:00:00Z, step_minutes of 15, 30 or 60, and prices`)
    const startMs = Date.parse(content.start)
    const stepMs = content.step_minutes * 60_000
    return content.prices.map((perKwh, i) => ({
      fromMs: startMs + i * stepMs,
      toMs: startMs + (i + 1) * stepMs,
      perKwh,
    }))
  },
})
