import type { KnownPrices } from '@hypocaust/control'
import { DAY_MS } from '@hypocaust/domain'
import type { MarketPrice } from './market.ts'

const KEPT_DAYS = 14
const AHEAD_DAYS = 3
const STEPS_MS = [900_000, 1_800_000, 3_600_000]

/** What is known so far with what has arrived, in steps as fine as the finest price; older days are forgotten. */
export function withPrices(before: KnownPrices | null, arrived: MarketPrice[], nowMs: number): KnownPrices | null {
  const sound = arrived.filter(({ fromMs, toMs, perKwh }) => toMs > fromMs && Number.isFinite(perKwh))
  if (sound.length === 0) return before
  const finestMs = Math.min(...sound.map(({ fromMs, toMs }) => toMs - fromMs), before ? before.stepS * 1000 : DAY_MS)
  const stepMs = STEPS_MS.findLast((each) => each <= finestMs) ?? 900_000
  const startMs = (Math.floor(nowMs / DAY_MS) - KEPT_DAYS) * DAY_MS
  const perKwh: (number | null)[] = new Array(((KEPT_DAYS + AHEAD_DAYS) * DAY_MS) / stepMs).fill(null)
  const put = ({ fromMs, toMs, perKwh: price }: MarketPrice) => {
    const first = Math.max(0, Math.round((fromMs - startMs) / stepMs))
    const end = Math.min(perKwh.length, Math.round((toMs - startMs) / stepMs))
    for (let i = first; i < end; i++) perKwh[i] = price
  }
  for (const each of before ? spansOf(before) : []) put(each)
  for (const each of sound) put(each)
  return { startMs, stepS: stepMs / 1000, perKwh }
}

const spansOf = ({ startMs, stepS, perKwh }: KnownPrices): MarketPrice[] =>
  perKwh.flatMap((price, i) => {
    const fromMs = startMs + i * stepS * 1000
    return price === null ? [] : [{ fromMs, toMs: fromMs + stepS * 1000, perKwh: price }]
  })

/** From when on nothing is known any more. */
export function knownUntilMs({ startMs, stepS, perKwh }: KnownPrices): number {
  return startMs + (perKwh.findLastIndex((price) => price !== null) + 1) * stepS * 1000
}
