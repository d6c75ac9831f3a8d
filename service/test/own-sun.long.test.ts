import { HOUR_MS, type SourceReport, timestampOf } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { describe, expect, test } from 'vitest'
import { sourceUpdate } from '../src/doors/mqtt/gateway-updates.ts'
import { addGateway } from '../src/house/gateways/gateways.ts'
import { explainRoom } from '../src/house/heating/explanation.ts'

const NOTHING: SourceReport = {
  lock: null,
  supply_c: null,
  supply_set_c: null,
  sg_ready: null,
  surplus_w: null,
  surplus_forecast: null,
  prices: null,
}

describe.each(ENGINES)('own sun and SG-Ready on %s', (engine) => {
  const house = heatedWorld(engine)

  /** It works no valve: it reads the inverter and the contacts. */
  const meteringGateway = async (): Promise<string> => {
    const { world } = house
    const added = await addGateway(world.store, world.clock, { buildingId: world.holder.buildingId, name: 'meters' })
    if (added.kind !== 'added') throw new Error(added.kind)
    const { id } = added
    world.holder.gatewayIds.push(id)
    return id
  }

  const decisionAfter = async (gatewayId: string, report: Partial<SourceReport>, minutes: number, airC: number) => {
    const { world } = house
    await world.store.batch([sourceUpdate(world.store, gatewayId, { ...NOTHING, ...report })])
    await house.live(minutes, airC)
    const explained = await explainRoom(world.store, world.bathroomId, world.clock.now())
    return explained?.decision
  }

  /** Own sun for two hours, from so many hours after now on. */
  const sunFrom = (hours: number): Partial<SourceReport> => {
    const start = timestampOf(house.world.clock.now() + hours * HOUR_MS)
    return { surplus_forecast: { start, step_s: 3600, values: [2500, 2500] } }
  }

  test('a forecast of own sun moves heat into its hours, within the comfort band', async () => {
    const gatewayId = await meteringGateway()
    const waits = await decisionAfter(gatewayId, sunFrom(4), 60, 20.1)
    const heats = await decisionAfter(gatewayId, sunFrom(0), 60, 20.1)
    const waitsAgain = await decisionAfter(gatewayId, sunFrom(4), 60, 20.1)
    expect(heats?.share).toBeGreaterThan((waits?.share ?? 1) + 0.05)
    expect(heats?.share).toBeGreaterThan((waitsAgain?.share ?? 1) + 0.05)
    const tooWarm = await decisionAfter(gatewayId, sunFrom(0), 45, (heats?.aim.highC ?? 0) + 0.3)
    expect(tooWarm?.share).toBe(0)
  })

  test('a gateway without a valve counts: a locked heat pump gets no demand', async () => {
    const gatewayId = await meteringGateway()
    const free = await decisionAfter(gatewayId, { sg_ready: 'normal' }, 3, 18)
    expect(free?.share).toBeGreaterThan(0.1)
    const locked = await decisionAfter(gatewayId, { sg_ready: 'locked' }, 3, 18)
    expect(locked).toMatchObject({ power: 0, caps: expect.arrayContaining(['grid-lock']) })
  })
})
