import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'
import type { SpanContext } from './tracing/span.ts'

interface Series {
  labels: Record<string, string>
  /** As many as there are bounds, and one for what is beyond the last. */
  counts: number[]
  sum: number
  /** The last value that is in a trace, by its bucket. */
  exemplars: (Exemplar | undefined)[]
}

/** As prom-client writes it, where the reader takes OpenMetrics. */
interface Exemplar {
  labelSet: { trace_id: string; span_id: string }
  value: number
  timestamp: number
}

interface DurationsChoice {
  name: string
  help: string
  labelNames: readonly string[]
  /** Upper bounds in seconds, in rising order. */
  bounds: readonly number[]
  registry: Registry
}

/**
 * A histogram as prom-client exports it. Its own looks up the labels anew for every value, which costs more than a poll
 * may; here a series is asked for once.
 */
export class Durations {
  readonly name: string
  readonly #choice: DurationsChoice
  readonly #series = new Map<string, Series>()

  constructor(choice: DurationsChoice) {
    this.name = choice.name
    this.#choice = choice
    choice.registry.registerMetric(this as never)
  }

  /** The series of these values of the labels, in the order of their names. */
  labels(...values: string[]): { observe(seconds: number, trace?: SpanContext): void } {
    const { bounds } = this.#choice
    const series = this.#seriesOf(values)
    return {
      observe(seconds, trace) {
        let at = 0
        while (at < bounds.length && seconds > (bounds[at] as number)) at++
        series.counts[at] = (series.counts[at] ?? 0) + 1
        series.sum += seconds
        if (!trace) return
        const labelSet = { trace_id: trace.traceId, span_id: trace.spanId }
        series.exemplars[at] = { labelSet, value: seconds, timestamp: Date.now() / 1000 }
      },
    }
  }

  async get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
    const { name, help } = this.#choice
    const values = [...this.#series.values()].flatMap((series) => this.#valuesOf(series))
    return { name, help, type: 'histogram' as never, aggregator: 'sum', collect: () => undefined, values }
  }

  reset(): void {
    this.#series.clear()
  }

  #seriesOf(values: string[]): Series {
    const key = values.join('\n')
    const known = this.#series.get(key)
    if (known) return known
    const { labelNames, bounds } = this.#choice
    const labels = Object.fromEntries(labelNames.map((label, i) => [label, values[i] ?? '']))
    const made = { labels, counts: Array(bounds.length + 1).fill(0), sum: 0, exemplars: [] }
    this.#series.set(key, made)
    return made
  }

  #valuesOf({ labels, counts, sum, exemplars }: Series): MetricValueWithName<string>[] {
    const { name, bounds } = this.#choice
    let count = 0
    const buckets = [...bounds, '+Inf'].map((le, i) => {
      count += counts[i] ?? 0
      const exemplar = exemplars[i]
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count, ...(exemplar && { exemplar }) }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}
