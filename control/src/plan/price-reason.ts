import { type Energy, relativeCosts } from '../model/heat-cost.ts'
import type { PriceReason } from '../room/types.ts'
import type { PlanTask } from './plan-task.ts'
import type { Plan } from './planner.ts'

const STEP_MS = 900_000
const STEPS = 96
/** Heat that costs about as much as on the mean of the day explains nothing. */
const REMARKABLE = 0.1
/** Less than this of the block is not worth a sentence. */
const NOTICEABLE = 0.05

/**
 * Whether a plan heats now because heat is cheap now, or waits because it will be: its power compared with that of the same
 * plan without prices. Null where heat costs the same at all times, or nearly what it costs on the mean of the coming day.
 */
export function priceReason(task: PlanTask, { power, flatPower }: Plan): PriceReason | null {
  const { energy, nowMs } = task
  if (!energy || !hasPrices(energy) || flatPower === null) return null
  const steps = stepsAhead(task)
  const costs = relativeCosts(energy, task.model, steps)
  const now = costs?.[0] ?? 1
  if (!costs || Math.abs(now - 1) <= REMARKABLE) return null
  const isCheap = now < 1
  const turn = costs.findIndex((cost) => (isCheap ? cost >= 1 : cost < 1))
  if (turn < 0) return null
  const untilMs = steps[turn]?.fromMs ?? nowMs
  if (isCheap) return power > flatPower + NOTICEABLE ? { kind: 'cheap', untilMs } : null
  return power < flatPower - NOTICEABLE ? { kind: 'waits', untilMs } : null
}

/** A heat pump alone makes heat cheaper at some hours too, but nobody has set a price. */
const hasPrices = ({ prices, grid, sunny = [] }: Energy) => prices !== null || grid === 'cheap' || sunny.length > 0

/** A day of quarter hours, the first one from now to the next quarter. */
function stepsAhead({ nowMs, outsideAt }: PlanTask) {
  const quarterMs = Math.floor(nowMs / STEP_MS) * STEP_MS
  return Array.from({ length: STEPS }, (_, k) => {
    const fromMs = Math.max(nowMs, quarterMs + k * STEP_MS)
    return { fromMs, toMs: quarterMs + (k + 1) * STEP_MS, outdoorC: outsideAt(fromMs).outdoorC }
  })
}
