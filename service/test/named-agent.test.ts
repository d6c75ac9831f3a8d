import { type GatewayConfig, type GatewayStatus, upTopic } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import type { TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { otherAgentOf } from '../src/house/gateways/conditions.ts'

const MINUTE_MS = 60_000

describe.each(ENGINES)('of several agents of one gateway, on %s', (engine) => {
  let world: MqttWorld
  let gateway: TestGateway

  beforeAll(async () => {
    world = await openMqttWorld({ engine })
    gateway = await world.gateway()
  })
  afterAll(() => world.close())

  const report = (boot: string, more: Partial<GatewayStatus>) =>
    gateway.sayRaw(
      upTopic(gateway.id, 'status'),
      JSON.stringify({ state: 'online', boot, channels: 2, host: boot, ...more }),
    )
  const named = (boot: string | undefined) => gateway.hear('config', ({ agent }: GatewayConfig) => agent === boot)
  const other = async () => {
    const rows = world.store.db.selectFrom('gateways').selectAll().where('id', '=', gateway.id)
    return otherAgentOf(await rows.executeTakeFirstOrThrow(), world.clock.now())
  }

  test('the configuration names the one that reports that it drives', async () => {
    await report('first', {})
    await report('first', { agent: 'drives' })
    await named('first')
    expect(gateway.heard('config').filter(({ agent }) => agent !== undefined && agent !== 'first')).toEqual([])
  })

  test('one that stands by is not named, and is shown for a quarter of an hour after it has last reported', async () => {
    gateway.forget()
    await report('second', { agent: 'stands_by' })
    await eventually(async () => (await other()) === 'second')
    world.clock.advance(14 * MINUTE_MS)
    await report('first', { agent: 'drives' })
    expect(await other()).toBe('second')
    world.clock.advance(2 * MINUTE_MS)
    expect(await other()).toBeNull()
    expect(gateway.heard('config').map(({ agent }) => agent)).not.toContain('second')
  })

  test('one that takes over is named, and is no other any more', async () => {
    await report('second', { agent: 'stands_by' })
    await eventually(async () => (await other()) === 'second')
    await report('second', { agent: 'drives' })
    await named('second')
    expect(await other()).toBeNull()
  })

  test('one that stands by for an agent that has not been heard for ten minutes need not wait', async () => {
    gateway.forget()
    await world.beat(gateway, { boot: 'second' })
    world.clock.advance(9 * MINUTE_MS)
    await world.beat(gateway, { boot: 'fourth' })
    await report('fourth', { agent: 'stands_by' })
    await eventually(async () => (await other()) === 'fourth')
    await gateway.deliver([])
    expect(gateway.heard('config').filter(({ agent }) => agent === undefined)).toEqual([])
    world.clock.advance(2 * MINUTE_MS)
    await report('fourth', { agent: 'stands_by' })
    await named(undefined)
  })

  test('a new token names none: the box that has it may drive at once', async () => {
    gateway = await world.gateway()
    await report('third', {})
    await named(undefined)
  })
})
