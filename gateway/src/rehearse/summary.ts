import { HOUR_MS } from '@hypocaust/domain/facts'

/** One run of an output; null while it lasts. */
export interface Span {
  fromMs: number
  toMs: number | null
}

export interface Output {
  on_h: number
  starts: number
  /** Of the runs and pauses that lie within the time as a whole; null when there is none. */
  shortest_on_s: number | null
  shortest_off_s: number | null
  /** Of a channel: hours of full flow, a valve half open counted as half. Of pump and boiler: on while water flows. */
  flow_h: number
}

export function summaryOf(all: Span[], flowMs: number, endMs: number): Output {
  const spans = all.filter(({ fromMs }) => fromMs < endMs)
  const runs = spans.flatMap(({ fromMs, toMs }) => (toMs === null || toMs > endMs ? [] : [toMs - fromMs]))
  const pauses = spans.flatMap(({ fromMs }, i) => {
    const before = spans[i - 1]?.toMs
    return before === undefined || before === null ? [] : [fromMs - before]
  })
  const onMs = spans.reduce((sum, { fromMs, toMs }) => sum + Math.min(toMs ?? endMs, endMs) - fromMs, 0)
  return {
    on_h: hours(onMs),
    starts: spans.length,
    shortest_on_s: shortestS(runs),
    shortest_off_s: shortestS(pauses),
    flow_h: hours(flowMs),
  }
}

const shortestS = (list: number[]): number | null => (list.length > 0 ? Math.min(...list) / 1000 : null)

const hours = (ms: number): number => Math.round((ms / HOUR_MS) * 10_000) / 10_000
