import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { lineage, TraceCollector } from '@hypocaust/testing/trace-collector.ts'
import { WebhookReceiver } from '@hypocaust/testing/webhook-receiver.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { TraceExport } from '../src/base/tracing/export.ts'
import { tracingSettings } from '../src/base/tracing/settings.ts'
import { webhookNetwork } from '../src/people/webhooks/network.ts'
import { WebhookSender } from '../src/people/webhooks/sender.ts'

const OPEN_METRICS = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
const CHANGE = 'PATCH /v1/buildings/:buildingId/rooms/:roomId'
const CALLER = '0af7651916cd43dd8448eb211c80319c'

describe.each(ENGINES)('requests are traced on %s', (engine) => {
  const collector = new TraceCollector()
  const metrics = createMetrics()
  let tracer: TraceExport
  let world: World
  beforeAll(async () => {
    await collector.start()
    const settings = tracingSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '5' })
    if (!settings) throw new Error('nothing is traced')
    tracer = new TraceExport({ settings, key: 'a key', metrics, logger: createLogger('silent') })
    world = await openWorld(engine, { tracer, metrics })
  })
  afterAll(async () => {
    await world.close()
    await tracer.stop()
    await collector.stop()
  })
  beforeEach(() => {
    collector.spans.length = 0
    collector.exports.length = 0
  })

  const traceOf = (request: string) => collector.trace((all) => all.some(({ name }) => name === request))

  test('a change is its look-up and its commit', async () => {
    // The first use of a key is noted.
    await world.patch({ target_temperature: 22 })
    await traceOf(CHANGE)
    collector.spans.length = 0
    await world.patch({ target_temperature: 22.5 }, { headers: { 'x-request-id': 'my-own-request' } })
    const spans = await traceOf(CHANGE)
    const [root] = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
    expect(lineage(spans)).toEqual([root?.name, `${root?.name} > commit`, `${root?.name} > look-up`])
    expect(root).toMatchObject({ kind: 2, status: {} })
    expect(root?.attributes).toEqual({
      'http.request.method': 'PATCH',
      'http.route': '/v1/buildings/:buildingId/rooms/:roomId',
      'http.response.status_code': '200',
      'hypocaust.request_id': 'my-own-request',
    })
  })

  test('the change keeps its trace for the control, and a change without a trace takes that away', async () => {
    const kept = async () =>
      (
        await world.store.db
          .selectFrom('buildings')
          .select('revisedTrace')
          .where('id', '=', world.holder.buildingId)
          .executeTakeFirstOrThrow()
      ).revisedTrace
    const [traced, untraced] = ['01', '00'].map((flags) => `00-${CALLER}-b7ad6b7169203331-${flags}`)
    await world.patch({ target_temperature: 21 }, { headers: { traceparent: traced ?? '' } })
    expect(await kept()).toMatch(new RegExp(`^00-${CALLER}-[0-9a-f]{16}-01$`))
    await world.patch({ target_temperature: 20.5 }, { headers: { traceparent: untraced ?? '' } })
    expect(await kept()).toBeNull()
  })

  test('a request that nobody may make is one too, and a path that does not exist names no route', async () => {
    await world.get('/v1/buildings', { key: 'hyp_not-a-key' })
    const refused = await traceOf('GET /v1/buildings')
    expect(refused.at(-1)?.attributes).toMatchObject({ 'http.response.status_code': '401' })
    await world.get('/nowhere/ada@example.org')
    const [span] = await traceOf('GET')
    expect(span?.attributes).not.toHaveProperty('http.route')
  })

  test('a tool of an assistant belongs to the message that called it', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_rooms', arguments: {} } }
    const headers = { accept: 'application/json, text/event-stream' }
    await world.call('POST', '/mcp', { key: world.holder.readKey, body, headers })
    const spans = await collector.trace((all) => all.some(({ name }) => name === 'POST /mcp'))
    expect(lineage(spans)).toContain('POST /mcp > GET /v1/buildings')
  })

  test('nothing that is exported names a person, a building, a key or a temperature', async () => {
    const { buildingId, roomIds, gatewayIds, accountId, writeKey } = world.holder
    await world.patch({ target_temperature: 23.5, name: 'Grandmother’s bath' })
    await world.get(`${world.roomsPath}?name=Grandmother`)
    await world.call('POST', '/app/sign-in', { body: { email: 'ada@example.org', password: 'correct horse' } })
    await eventually(() => collector.spans.some(({ name }) => name.startsWith('POST')))
    const text = collector.exports.map(({ body }) => body).join()
    for (const secret of [buildingId, ...roomIds, ...gatewayIds, accountId, writeKey, 'ada@', 'Grandmother', '23.5'])
      expect(text).not.toContain(secret)
  })

  test('a webhook carries its trace, and keeps to itself where it was sent', async () => {
    const receiver = new WebhookReceiver()
    await receiver.start()
    const network = webhookNetwork({ privateAddresses: true })
    const secrets = { network, authSecret: 'a secret that signs the messages of webhooks' }
    const message = { id: 'msg_1', payload: '{}' }
    const webhook = { id: 'wh_1', url: receiver.url }
    await new WebhookSender({ ...secrets, tracer }).send(webhook, message)
    const [span] = await traceOf('webhook')
    expect(receiver.received[0]?.headers.traceparent).toBe(`00-${span?.traceId}-${span?.spanId}-01`)
    expect(span).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': '204' } })
    receiver.answer = () => 500
    await new WebhookSender({ ...secrets, tracer }).send(webhook, message)
    await eventually(() => collector.spans.some(({ name, status }) => name === 'webhook' && status.code === 2))
    await new WebhookSender(secrets).send(webhook, message)
    expect(receiver.received[2]?.headers).not.toHaveProperty('traceparent')
    expect(collector.exports.map(({ body }) => body).join()).not.toContain(receiver.url)
    await receiver.stop()
  })

  test('what asks whether the process is well is not traced', async () => {
    await world.get('/health/ready')
    await world.get('/metrics')
    await world.get('/v1/key')
    await traceOf('GET /v1/key')
    expect(collector.spans.map(({ name }) => name).join()).not.toMatch(/health|metrics/)
  })

  test('figures name the trace of a request, for those who ask for OpenMetrics', async () => {
    await world.get('/v1/key')
    const [root] = (await traceOf('GET /v1/key')).filter(({ name }) => name === 'GET /v1/key')
    const { headers, text } = await world.get('/metrics', { headers: { accept: OPEN_METRICS } })
    expect(headers['content-type']).toContain('application/openmetrics-text; version=1.0.0')
    expect(text).toContain(`# {trace_id="${root?.traceId}",span_id="${root?.spanId}"} `)
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    const plain = await world.get('/metrics')
    expect(plain.headers['content-type']).toContain('text/plain; version=0.0.4')
    expect(plain.text).not.toContain('trace_id')
    expect(plain.text).toContain('hypocaust_trace_spans_total{outcome="exported"}')
  })

  test('counters have one name, in whichever form they are asked for first', async () => {
    const ask = async (accept: string) => (await world.get('/metrics', { headers: { accept } })).text
    const [open, plain, again] = [await ask(OPEN_METRICS), await ask('text/plain'), await ask(OPEN_METRICS)]
    for (const text of [open, plain, again]) expect(text).toMatch(/^process_cpu_seconds_total \d/m)
    expect(open).toMatch(/^# TYPE process_cpu_seconds counter$/m)
    expect(again).toMatch(/^# TYPE process_cpu_seconds counter$/m)
    expect(plain).toMatch(/^# TYPE process_cpu_seconds_total counter$/m)
    expect(await ask('application/openmetrics-text;q=0, text/plain')).not.toContain('# EOF')
  })
})
