import type { AppPlan, RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import { historyFrom } from './moment.ts'
import type { View } from './spans.ts'

/** Of two days of a plan the first is shown: the second is too far. */
const AHEAD_S = DAY_S

/** The part of a plan that a chart of this view shows; null where it shows none. */
export function planWithin({ times, ...values }: AppPlan, { fromS, toS }: View): AppPlan | null {
  const endS = Math.min(toS, (times[0] ?? 0) + AHEAD_S)
  const first = times.findIndex((at) => at >= fromS)
  const count = times.filter((at) => at >= fromS && at <= endS).length
  if (count === 0) return null
  const part = <T>(all: T[]) => all.slice(first, first + count)
  return {
    times: part(times),
    setpoint: part(values.setpoint),
    temperature: part(values.temperature),
    error: part(values.error),
    power: part(values.power),
    price: part(values.price),
  }
}

/** Without a plan the chart ends now, with one where the plan ends: what was dragged further is moved back. */
export function withinReach({ fromS, toS }: View, latest: View, hasPlan: boolean): View {
  const beyondS = Math.max(0, toS - latest.toS - (hasPlan ? AHEAD_S : 0))
  return { fromS: fromS - beyondS, toS: toS - beyondS }
}

/** What has been measured of a view: a view of the future alone asks for its last step before now. */
export function measuredPart({ fromS, toS }: View, latest: View, stepS: number): View {
  const endS = Math.min(toS, latest.toS)
  return { fromS: Math.min(fromS, endS - stepS), toS: endS }
}

/** A view of the future alone shows nothing of the past. */
export function historyWithin(history: RoomHistory, { fromS }: View): RoomHistory {
  const before = history.times.filter((at) => at < fromS).length
  return before === 0 ? history : historyFrom(history, before)
}
