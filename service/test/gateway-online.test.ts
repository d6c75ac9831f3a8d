import { type Ack, type GatewayStatus, upTopic } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { NO_TRACES } from '../src/base/tracing/tracer.ts'
import { Ingest } from '../src/doors/mqtt/ingest.ts'
import type { MqttLink } from '../src/doors/mqtt/link.ts'

const link: MqttLink = {
  isUp: true,
  start: async () => {},
  publish: async () => true,
  stopReceiving: async () => {},
  stop: async () => {},
}

const ONLINE = { state: 'online', boot: 'first', channels: 2, config_revision: 1 } as const

describe.each(ENGINES)('a gateway that comes online, on %s', (engine) => {
  let world: World
  let gatewayId: string

  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
    gatewayId = (await world.store.db.selectFrom('gateways').select('id').executeTakeFirstOrThrow()).id
    await greetingsFor(ONLINE)
  })

  /** How often the gateway is sent its command because of these messages, which are stored together. */
  async function greetingsFor(...messages: (GatewayStatus | Ack)[]): Promise<number> {
    let greetings = 0
    const ingest = new Ingest({
      ...{ store: world.store, clock: world.clock, link },
      ...{ metrics: createMetrics(), tracer: NO_TRACES, logger: createLogger('silent') },
      onReadings: () => {},
      onGatewayOnline: () => greetings++,
      onHeatRequest: () => {},
    })
    for (const message of messages) {
      const topic = upTopic(gatewayId, 'state' in message ? 'status' : 'ack')
      ingest.accept({ topic, payload: Buffer.from(JSON.stringify(message)) })
    }
    await ingest.stop()
    return greetings
  }

  const confirmed = async () => {
    const { db } = world.store
    const gateway = db.selectFrom('gateways').select('confirmedRevision').where('id', '=', gatewayId)
    return (await gateway.executeTakeFirstOrThrow()).confirmedRevision
  }

  const commanded = (commandSeq: number) =>
    world.store.db.updateTable('gateways').set({ commandSeq }).where('id', '=', gatewayId).execute()

  const acknowledged = (seq: number): Ack => ({ epoch: 1, seq, result: 'accepted' })

  test('is sent its command', async () => {
    expect(await greetingsFor({ ...ONLINE, boot: 'second' })).toBe(1)
  })

  test('is sent its command also after it was away for a moment', async () => {
    expect(await greetingsFor(ONLINE)).toBe(1)
    await greetingsFor({ ...ONLINE, state: 'offline' })
    expect(await greetingsFor({ ...ONLINE, config_revision: 2 })).toBe(1)
  })

  test('is not sent its command again when all it reports is a new configuration', async () => {
    expect(await greetingsFor({ ...ONLINE, config_revision: 2 })).toBe(0)
    expect(await confirmed()).toBe(2)
    expect(await greetingsFor({ ...ONLINE, config_revision: 3, channels: 4 })).toBe(1)
  })

  test('is sent its command when it reports a new configuration and has not acknowledged the last command', async () => {
    await commanded(1)
    expect(await greetingsFor({ ...ONLINE, config_revision: 2 })).toBe(1)
    await greetingsFor(acknowledged(1))
    expect(await greetingsFor({ ...ONLINE, config_revision: 3 })).toBe(0)
    await commanded(2)
    expect(await greetingsFor({ ...ONLINE, config_revision: 4 }, acknowledged(2))).toBe(0)
  })

  test('is sent its command when it confirms a configuration and comes online within one moment', async () => {
    const status = { ...ONLINE, config_revision: 2 }
    expect(await greetingsFor(status, status)).toBe(1)
  })
})
