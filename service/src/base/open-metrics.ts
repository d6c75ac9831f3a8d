import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'

type Got = MetricObjectWithValues<MetricValue<string>>

/** The same figures in the form of OpenMetrics. The library would rename the counters of the one registry for good. */
export function openMetrics(registry: Registry): Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE> {
  const shown = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>()
  shown.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  for (const metric of registry.getMetricsAsArray()) {
    const { name } = metric as unknown as Got
    const get = async (): Promise<Got> => {
      const got = await (metric as unknown as { get(): Promise<Got> }).get()
      return { ...got, name: String(got.type) === 'counter' ? got.name.replace(/_total$/, '') : got.name }
    }
    shown.registerMetric({ name, get } as never)
  }
  return shown
}
