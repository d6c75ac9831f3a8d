import type { Ack, PowerCommand } from '@hypocaust/domain'
import { ENGINES, type Engine } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { reading, TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { lineage, type ReceivedSpan, TraceCollector } from '@hypocaust/testing/trace-collector.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../src/base/clock.ts'
import { rotateToken } from '../src/house/gateways/gateways.ts'
import { type RunningService, startService } from '../src/main.ts'
import { readSettings } from '../src/settings.ts'

const CHANGE = 'PATCH /v1/buildings/:buildingId/rooms/:roomId'
const WHOLE_CHANGE = [
  CHANGE,
  `${CHANGE} > commit`,
  `${CHANGE} > control`,
  `${CHANGE} > look-up`,
  'command > confirmation',
  'command > gateway',
  'control > command',
  'control > commit',
]

/** All in one process on SQLite; one that answers and one that controls on PostgreSQL, with a broker outside. */
const ROLES: Record<Engine, string[]> = { sqlite: ['all'], postgres: ['ingest', 'api'] }

describe.skipIf(withoutMosquitto()).each(ENGINES)('what follows a change is part of its trace on %s', (engine) => {
  const collector = new TraceCollector()
  let mosquitto: Mosquitto
  let world: World
  let services: RunningService[]
  let gateway: TestGateway
  beforeAll(async () => {
    await collector.start()
    mosquitto = await startMosquitto()
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '5')
    world = await openWorld(engine)
    const shared = {
      HYPOCAUST_DATABASE_URL: world.test.url,
      HYPOCAUST_MQTT_URL: mosquitto.url,
      HYPOCAUST_AUTH_SECRET: 'a secret that all processes of this test share',
    }
    const flags = { data: world.test.folder, port: 0, mqtt_port: 0, log_level: 'silent', rate_limit_writes: 0 }
    services = []
    for (const role of ROLES[engine])
      services.push(await startService(readSettings({ ...flags, role }, shared, 'none.yaml')))
    gateway = await join()
    // What a service that has just begun has to send belongs to no change.
    await power(0.05)
    await command(0.05)
    await eventually(isLastAnswered)
  })
  afterAll(async () => {
    await gateway.leave()
    for (const service of services) await service.stop()
    vi.unstubAllEnvs()
    await world.close()
    await mosquitto.stop()
    await collector.stop()
  })
  beforeEach(() => {
    gateway.forget()
    collector.spans.length = 0
  })

  async function join(): Promise<TestGateway> {
    const id = world.holder.gatewayIds[0] as string
    const password = await rotateToken(world.store, systemClock, id)
    const party = await Party.join(mosquitto.url, { clientId: id, username: id, password: password ?? '' }, [
      `hypocaust/v1/${id}/down/#`,
    ])
    return new TestGateway(id, party)
  }

  const power = (value: number, headers: Record<string, string> = {}) =>
    fetch(`${services.at(-1)?.url}${world.bathroomPath}`, {
      method: 'PATCH',
      headers: { 'x-api-key': world.holder.writeKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ manual_power: { enabled: true, power: value } }),
    })
  const command = (value: number): Promise<PowerCommand> =>
    gateway.hear('power', ({ valves }) => valves.some(({ power }) => power === value))
  const answer = ({ epoch, seq }: PowerCommand, rest: Partial<Ack>) =>
    gateway.say('ack', { epoch, seq, result: 'accepted', ...rest })
  async function isAnswered(): Promise<boolean> {
    const { ackedSeq, commandSeq } = await world.store.db
      .selectFrom('gateways')
      .select(['ackedSeq', 'commandSeq'])
      .where('id', '=', gateway.id)
      .executeTakeFirstOrThrow()
    return ackedSeq === commandSeq
  }
  /** Whatever else was ordered meanwhile. */
  function isLastAnswered(): Promise<boolean> {
    const last = gateway.heard('power').at(-1)
    if (last) answer(last, {})
    return isAnswered()
  }
  const isWhole = (spans: ReceivedSpan[]) => WHOLE_CHANGE.every((each) => lineage(spans).includes(each))

  test('its control, the command and the gateway’s answer', async () => {
    await power(0.1)
    const sent = await command(0.1)
    expect(sent.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    answer(sent, { traceparent: sent.traceparent, took_ms: 7 })
    const spans = await collector.trace(isWhole)
    const [atGateway] = spans.filter(({ name }) => name === 'gateway')
    const tookNs = BigInt(atGateway?.endTimeUnixNano ?? 0) - BigInt(atGateway?.startTimeUnixNano ?? 0)
    expect(Math.round(Number(tookNs) / 1e6)).toBe(7)
    const [confirmation] = spans.filter(({ name }) => name === 'confirmation')
    expect(confirmation?.attributes).toEqual({ 'hypocaust.result': 'accepted' })
  })

  test('a gateway that knows nothing of traces is commanded as ever, and the trace ends with the command', async () => {
    await power(0.2)
    answer(await command(0.2), {})
    const spans = await collector.trace((all) => lineage(all).includes('control > command'))
    await eventually(isAnswered)
    expect(spans.map(({ name }) => name)).not.toContain('confirmation')
  })

  test('a change that is not recorded leads to a command without a trace', async () => {
    await power(0.3, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` })
    expect(await command(0.3)).not.toHaveProperty('traceparent')
  })

  test('an answer with a trace that the service did not give out is taken, and its trace is not', async () => {
    const forged = [
      () => `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      (own: string) => own.replace(/-[0-9a-f]{16}-/, `-${'b'.repeat(16)}-`),
      () => 7,
    ]
    for (const [i, forge] of forged.entries()) {
      await power((40 + i) / 100)
      const sent = await command((40 + i) / 100)
      answer(sent, { traceparent: forge(String(sent.traceparent)), took_ms: 3 })
      await eventually(isAnswered)
    }
    await power(0.5)
    const last = await command(0.5)
    answer(last, { traceparent: last.traceparent, took_ms: 1e300 })
    const spans = await collector.trace((all) => all.some(({ name }) => name === 'confirmation'))
    expect(spans[0]?.traceId).toBe(String(last.traceparent).split('-')[1])
    expect(collector.spans.filter(({ name }) => name === 'confirmation')).toHaveLength(1)
    expect(collector.spans.map(({ name }) => name)).not.toContain('gateway')
  })

  test('of an answer that comes again and again the first is recorded', async () => {
    await power(0.6)
    const sent = await command(0.6)
    for (let n = 0; n < 50; n++) answer(sent, { traceparent: sent.traceparent })
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, Date.now())])
    // Which of the two is exported first is not certain.
    for (const last of ['confirmation', 'readings'])
      await collector.trace((all) => all.some(({ name }) => name === last))
    expect(collector.spans.filter(({ name }) => name === 'confirmation')).toHaveLength(1)
  })

  test('readings are their commit and the control that follows', async () => {
    const at = Date.now()
    await gateway.deliver([reading(BATHROOM_SENSOR, 20.5, at)])
    const spans = await collector.trace((all) => lineage(all).includes('readings > control'))
    expect(lineage(spans)).toEqual(expect.arrayContaining(['readings', 'readings > commit', 'control > commit']))
    const [readings] = spans.filter(({ name }) => name === 'readings')
    expect(readings?.attributes).toEqual({ 'hypocaust.outcome': 'stored' })
  })
})
