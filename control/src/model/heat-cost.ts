import { efficiencyOf, type HeatSource } from './efficiency.ts'
import type { Model } from './model.ts'

/** What a kWh costs, in any currency: `perKwh[k]` holds for `stepS` from `startMs + k · stepS` on. */
export type Prices = { startMs: number; stepS: number; perKwh: number[] }

type SunnySpan = { fromMs: number; toMs: number }

/** What the heat of a building is bought as; null where nothing is known. */
export type Energy = {
  prices: Prices | null
  source: HeatSource | null
  /** Locked: the grid operator has switched the heat pump off. Cheap: own sun, or the operator recommends to heat. */
  grid?: 'locked' | 'cheap' | null
  /** Hours ahead for which own sun is forecast. */
  sunny?: SunnySpan[]
}

/** A step of a plan. */
export type CostStep = { fromMs: number; toMs: number; outdoorC: number }

/** Heat is never worth wasting, not even when the grid pays for it. */
const LEAST = 0.05
const DAY_S = 86_400
/** What electricity brings that would be sold instead, as a share of what it costs; and for how long it lasts, as far as
 * anybody knows. */
const CHEAP = 0.3
const CHEAP_LASTS_MS = 3_600_000

/**
 * What heat costs in each step, as a multiple of its mean over all of them: so comfort keeps its own price in kWh, and the
 * level and the currency of the prices do not matter. Null where heat costs the same in every step.
 */
export function relativeCosts(energy: Energy | null, model: Model, steps: CostStep[]): number[] | null {
  if (!energy || isForeign(energy, model)) return null
  const { prices, source, grid, sunny = [] } = energy
  if (!prices && !source && grid !== 'cheap' && sunny.length === 0) return null
  const nowMs = steps[0]?.fromMs ?? 0
  const costs = steps.map(
    ({ fromMs, toMs, outdoorC }) => paidWithin(energy, nowMs, fromMs, toMs) / efficiencyOf(source, model, outdoorC),
  )
  if (costs.every((cost) => cost === costs[0])) return null
  const hours = steps.map(({ fromMs, toMs }) => toMs - fromMs)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const mean = sum(costs.map((cost, k) => Math.max(0, cost) * (hours[k] as number))) / sum(hours)
  return mean > 0 ? costs.map((cost) => Math.max(LEAST, cost / mean)) : null
}

/** What a kWh that the source takes costs in a span, in any currency. */
export function paidWithin({ prices, grid, sunny = [] }: Energy, nowMs: number, fromMs: number, toMs: number): number {
  const cheapUntilMs = grid === 'cheap' ? nowMs + CHEAP_LASTS_MS : 0
  const factor = fromMs < cheapUntilMs ? CHEAP : sunnyFactor(sunny, fromMs, toMs)
  return factor * (prices ? meanPrice(prices, fromMs, toMs) : 1)
}

/** Of the price, with the part of a step in which own sun is forecast at its own. */
function sunnyFactor(sunny: SunnySpan[], fromMs: number, toMs: number): number {
  const overlapMs = ({ fromMs: start, toMs: end }: SunnySpan) =>
    Math.max(0, Math.min(end, toMs) - Math.max(start, fromMs))
  const share = sunny.reduce((total, span) => total + overlapMs(span), 0) / (toMs - fromMs)
  return 1 - (1 - CHEAP) * Math.min(1, share)
}

/** The price of gas or of district heat is not that of an electric mat. */
const isForeign = ({ source }: Energy, { heat }: Model) =>
  heat.kind === 'electric' && (source?.kind === 'boiler' || source?.kind === 'district')

/** Over a span; beyond the end of the series its last day is repeated. */
function meanPrice({ startMs, stepS, perKwh }: Prices, fromMs: number, toMs: number): number {
  const last = perKwh.length
  const dayLong = Math.round(DAY_S / stepS)
  const priceAt = (index: number): number => {
    const within = index >= last && last >= dayLong ? index - dayLong * Math.ceil((index - last + 1) / dayLong) : index
    return perKwh[Math.min(last - 1, Math.max(0, within))] as number
  }
  const from = (fromMs - startMs) / (1000 * stepS)
  const to = (toMs - startMs) / (1000 * stepS)
  let sum = 0
  for (let index = Math.floor(from); index < to; index++)
    sum += priceAt(index) * (Math.min(to, index + 1) - Math.max(from, index))
  return sum / (to - from)
}
