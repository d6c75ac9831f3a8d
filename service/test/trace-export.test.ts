import { eventually } from '@hypocaust/testing/eventually.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { TraceCollector } from '@hypocaust/testing/trace-collector.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { TraceExport } from '../src/base/tracing/export.ts'
import { tracingSettings } from '../src/base/tracing/settings.ts'
import { inSpan, within } from '../src/base/tracing/span.ts'
import type { Tracer } from '../src/base/tracing/tracer.ts'

const CALLER = '0af7651916cd43dd8448eb211c80319c'
const SAMPLED = `00-${CALLER}-b7ad6b7169203331-01`
const UNSAMPLED = `00-${CALLER}-b7ad6b7169203331-00`

describe('traces are exported', () => {
  let collector: TraceCollector
  const log: string[] = []
  const running: TraceExport[] = []
  beforeEach(async () => {
    log.length = 0
    collector = new TraceCollector()
    await collector.start()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()))
    await collector.stop()
  })

  function tracing(env: Record<string, string> = {}) {
    const metrics = createMetrics()
    const settings = tracingSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '5',
      ...env,
    })
    if (!settings) throw new Error('nothing is traced')
    const logger = createLogger('info', { write: (line) => void log.push(line) })
    const tracer = new TraceExport({ settings, key: 'a key', metrics, logger })
    running.push(tracer)
    const counted = async (outcome: string) =>
      (await metrics.spans.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
    return { tracer, counted }
  }

  const spans = (tracer: Tracer, number: number) => {
    for (let n = 0; n < number; n++) tracer.begin(`work ${n}`, 'server')?.end()
  }

  test('as OTLP in JSON, to the path of the specification', async () => {
    const { tracer, counted } = tracing({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2,x-tenant=ada',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      OTEL_SERVICE_NAME: 'heating',
    })
    const span = tracer.begin('GET /v1/buildings', 'server')
    if (!span) throw new Error('not sampled')
    span.attributes['http.response.status_code'] = 200
    await within(span, () => inSpan('look-up', async () => {}))
    span.end()
    const [child, parent] = await collector.trace((all) => all.length === 2)
    expect(child).toMatchObject({ name: 'look-up', parentSpanId: parent?.spanId, kind: 1 })
    expect(parent).toMatchObject({ name: 'GET /v1/buildings', kind: 2, status: {} })
    expect(parent?.attributes).toEqual({ 'http.response.status_code': '200' })
    expect(parent?.resource).toMatchObject({ 'service.name': 'heating', 'deployment.environment': 'test' })
    expect(parent?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(Math.abs(Number(BigInt(parent?.endTimeUnixNano ?? '0') / 1_000_000n) - Date.now())).toBeLessThan(60_000)
    expect(BigInt(parent?.endTimeUnixNano ?? '0')).toBeGreaterThanOrEqual(BigInt(child?.endTimeUnixNano ?? '1'))
    expect(collector.exports[0]?.path).toBe('/v1/traces')
    expect(collector.exports[0]?.headers).toMatchObject({
      authorization: 'Bearer hunter2',
      'x-tenant': 'ada',
      'content-type': 'application/json',
    })
    await eventually(async () => (await counted('exported')) === 2)
  })

  test('a span whose work fails is marked as failed', async () => {
    const { tracer } = tracing()
    const span = tracer.begin('PATCH', 'server')
    const failing = async () => Promise.reject(new Error('the disk is full'))
    await expect(within(span, () => inSpan('commit', failing))).rejects.toThrow('the disk is full')
    span?.end()
    const [commit] = await collector.trace((all) => all.length === 2)
    expect(commit).toMatchObject({ name: 'commit', status: { code: 2 } })
    expect(collector.exports.map(({ body }) => body).join()).not.toContain('the disk is full')
  })

  test('to a collector that was away, once it is there', async () => {
    const port = await freePort()
    const { tracer, counted } = tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    spans(tracer, 1)
    await eventually(() => log.length > 0)
    await collector.stop()
    collector = new TraceCollector()
    await collector.start(port)
    await collector.trace((all) => all.length === 1)
    await eventually(async () => (await counted('exported')) === 1)
    expect(await counted('dropped')).toBe(0)
    expect(log.join()).toContain('the collector does not take traces')
  })

  test('again after an answer that promises better', async () => {
    const statuses = [503, 429]
    collector.answer = () => statuses.shift() ?? 200
    const { tracer, counted } = tracing()
    spans(tracer, 1)
    await collector.trace((all) => all.length === 1)
    expect(await counted('dropped')).toBe(0)
    expect(collector.exports).toHaveLength(3)
  })

  test('and dropped and counted after any other', async () => {
    collector.answer = () => 500
    const { tracer, counted } = tracing()
    spans(tracer, 3)
    await eventually(async () => (await counted('dropped')) === 3)
    expect(collector.exports).toHaveLength(1)
  })

  test('in smaller parts where they are too large, and one that is too large alone is dropped', async () => {
    collector.answer = ({ spans }) => (spans.length > 8 || spans.some(({ name }) => name === 'work 17') ? 413 : 200)
    const { tracer, counted } = tracing()
    spans(tracer, 100)
    await eventually(async () => (await counted('exported')) === 99)
    expect(await counted('dropped')).toBe(1)
  })

  test('while a collector is slow, as many wait as there is room for, and the rest is dropped and counted', async () => {
    const released = Promise.withResolvers<void>()
    collector.answer = () => released.promise.then(() => 200)
    const { tracer, counted } = tracing()
    spans(tracer, 2048)
    await eventually(() => collector.exports.length === 1)
    spans(tracer, 10_000)
    expect(await counted('dropped')).toBe(10_000)
    released.resolve()
    await eventually(async () => (await counted('exported')) === 2048)
  })

  test('at the end what is left is sent', async () => {
    const { tracer, counted } = tracing({ OTEL_BSP_SCHEDULE_DELAY: '60000' })
    spans(tracer, 7)
    await tracer.stop()
    expect(collector.spans).toHaveLength(7)
    expect(await counted('exported')).toBe(7)
  })

  test('at the end a collector that hangs is not waited for without end', async () => {
    collector.answer = () => new Promise(() => {})
    const { tracer, counted } = tracing({ OTEL_BSP_SCHEDULE_DELAY: '60000' })
    spans(tracer, 7)
    await tracer.stop()
    expect(await counted('dropped')).toBe(7)
  })

  test('the caller’s trace goes on', async () => {
    const { tracer } = tracing()
    tracer.begin('GET', 'server', SAMPLED)?.end()
    const [span] = await collector.trace((all) => all.length === 1)
    expect(span).toMatchObject({ traceId: CALLER, parentSpanId: 'b7ad6b7169203331' })
  })

  test.each([
    '00-0-0-01',
    `ff-${CALLER}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    'x'.repeat(9999),
  ])('what is no trace of a caller begins one of its own: %.60s', (traceparent) => {
    const { tracer } = tracing()
    const span = tracer.begin('GET', 'server', traceparent)
    expect(span?.parentId).toBeUndefined()
    expect(span?.traceId).not.toBe(CALLER)
  })

  test('a caller cannot have more recorded than the operator’s share', () => {
    const { tracer } = tracing({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' })
    // Samplers that go by the id of the trace take all zeros.
    const smallest = `00-${'0'.repeat(31)}1-b7ad6b7169203331-01`
    const sampled = Array.from({ length: 10_000 }, () => tracer.begin('GET', 'server', smallest)).filter(Boolean)
    expect(sampled.length).toBeGreaterThan(700)
    expect(sampled.length).toBeLessThan(1300)
    const { tracer: off } = tracing({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    expect(off.begin('GET', 'server', SAMPLED)).toBeUndefined()
  })

  test('a caller that records nothing is left out, unless the operator’s sampler does not ask', () => {
    expect(tracing().tracer.begin('GET', 'server', UNSAMPLED)).toBeUndefined()
    const { tracer } = tracing({ OTEL_TRACES_SAMPLER: 'always_on' })
    expect(tracer.begin('GET', 'server', UNSAMPLED)?.traceId).toBe(CALLER)
  })
})

describe('the variables of OpenTelemetry', () => {
  const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

  test('nothing is traced without an address, or where it is switched off', () => {
    expect(tracingSettings({})).toBeUndefined()
    expect(tracingSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined()
    expect(tracingSettings({ ...COLLECTOR, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
    expect(tracingSettings({ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  })

  test('the address for everything gets the path of traces, and the address for traces is taken as it is', () => {
    expect(tracingSettings(COLLECTOR)?.url).toBe('http://127.0.0.1:4318/v1/traces')
    expect(tracingSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.org/in/' })?.url).toBe(
      'https://otel.example.org/in/v1/traces',
    )
    expect(
      tracingSettings({ ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://otel.example.org/in' })?.url,
    ).toBe('https://otel.example.org/in')
  })

  test('headers for traces replace those for everything', () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'a=1', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2' }
    expect(tracingSettings({ ...COLLECTOR, ...headers })?.headers).toEqual({ b: '2' })
  })

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address'],
    [{ ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json'],
    [{ ...COLLECTOR, OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' }, 'OTEL_EXPORTER_OTLP_HEADERS must be name=value'],
    [{ ...COLLECTOR, OTEL_EXPORTER_OTLP_HEADERS: 'a b=hunter2' }, 'OTEL_EXPORTER_OTLP_HEADERS has a header'],
    [{ ...COLLECTOR, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER must be one of'],
    [{ ...COLLECTOR, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10 %' }, 'between 0 and 1'],
    [{ ...COLLECTOR, OTEL_BSP_SCHEDULE_DELAY: 'soon' }, 'OTEL_BSP_SCHEDULE_DELAY must be milliseconds'],
  ])('what does not fit is refused by the name of its variable: %j', (env, message) => {
    expect(() => tracingSettings(env)).toThrow(message)
    expect(() => tracingSettings(env)).not.toThrow('hunter2')
  })
})
