import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextCommand } from '../src/house/gateways/commands.ts'
import { gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { recommendedWrites } from '../src/house/heating/recommended.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES)('the state of SG-Ready for a heat pump on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
    await world.store.db.updateTable('buildings').set({ recommendedUntil: null }).execute()
    await world.store.db.updateTable('gateways').set({ command: null, commandDueAt: 0 }).execute()
    await report({ sg_ready_out: true })
  })

  const report = (said: object) =>
    world.store.db
      .updateTable('gateways')
      .set({ sourceReport: JSON.stringify({ lock: null, ...said }), lastSeenAt: world.clock.now(), channels: 2 })
      .where('id', '=', world.holder.gatewayIds[0] ?? '')
      .execute()
  const gateway = async () =>
    (await gatewayValvesOf(world.store, world.holder.buildingId)).find(
      ({ gatewayId }) => gatewayId === world.holder.gatewayIds[0],
    )
  const next = async () => {
    const found = await gateway()
    if (!found) throw new Error('the house has no gateway')
    return nextCommand(world.store, world.clock, found)
  }
  const decide = async (...prices: (object | undefined)[]) => {
    const { buildingId } = world.holder
    const { recommendedUntil } = await world.store.db
      .selectFrom('buildings')
      .select('recommendedUntil')
      .where('id', '=', buildingId)
      .executeTakeFirstOrThrow()
    const stepped = prices.map((price) => ({ step: { decision: { share: 0.4, ...(price && { price }) } } }))
    const writes = recommendedWrites(world.store, { id: buildingId, recommendedUntil }, stepped as never)
    await world.store.batch(writes)
    return writes.length
  }
  const cheap = () => ({ kind: 'cheap', untilMs: world.clock.now() + HOUR_MS })

  test('recommended while a plan stores cheap heat, and normal from its end on, without another decision', async () => {
    expect(await next()).toMatchObject({ source: { sg_ready: 'normal' } })
    expect(await decide(undefined, cheap())).toBe(1)
    expect(await next()).toMatchObject({ kind: 'due', source: { sg_ready: 'recommended' } })
    expect(await next()).toEqual({ kind: 'nothing' })
    world.clock.advance(HOUR_MS)
    await report({ sg_ready_out: true })
    expect(await next()).toMatchObject({ source: { sg_ready: 'normal' } })
  })

  test('normal while plans wait for cheaper heat, or go by no price', async () => {
    expect(await decide({ kind: 'waits', untilMs: world.clock.now() + HOUR_MS }, undefined)).toBe(0)
    expect(await next()).toMatchObject({ source: { sg_ready: 'normal' } })
  })

  test('locked while the grid operator locks it, whatever is cheap', async () => {
    await decide(cheap())
    await report({ sg_ready_out: true, sg_ready: 'locked' })
    expect(await next()).toMatchObject({ source: { sg_ready: 'locked' } })
  })

  test('not recommended while the grid limits the heat pump, and again after that', async () => {
    const nowMs = world.clock.now()
    const limit = {
      fromMs: nowMs - 1,
      untilMs: nowMs + HOUR_MS / 2,
      powerW: 4200,
      basis: 'agreed',
      atMs: nowMs,
      shares: {},
    }
    const gridShares = JSON.stringify([{ ...limit, reportedBy: 'interface' }])
    await world.store.db.updateTable('buildings').set({ gridShares }).execute()
    await decide(cheap())
    expect(await next()).toMatchObject({ source: { sg_ready: 'normal' } })
    world.clock.advance(HOUR_MS / 2)
    await report({ sg_ready_out: true })
    expect(await next()).toMatchObject({ source: { sg_ready: 'recommended' } })
    await world.store.db.updateTable('buildings').set({ gridShares: null }).execute()
  })

  test('nothing where the gateway has no such relays', async () => {
    await report({})
    await decide(cheap())
    expect(await next()).toMatchObject({ kind: 'due', source: null })
  })
})
