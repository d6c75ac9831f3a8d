import { HOUR_MS } from '@hypocaust/domain'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { HOUSE } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { circuitOfRoom } from '../src/house/source/circuits.ts'
import { gridOf, sunnyOf, supplyOf, supplySetpointOf } from '../src/house/source/supply.ts'

const NOW_MS = Date.parse('2026-01-10T08:15:03.000Z')

describe('the supply temperature of a building', () => {
  let world: MqttWorld
  beforeAll(async () => {
    world = await openMqttWorld()
  })
  afterAll(() => world.close())

  test('goes along with each command, within its limits, once the house file has given them', async () => {
    const gateway = await world.gateway()
    await gateway.hear('config')
    await world.world.patch({ manual_power: { enabled: true, power: 0.5 } })
    await gateway.hear('power', ({ valves }) => valves[0]?.power === 0.5)
    expect(gateway.heard('source')).toEqual([])
    const file = { ...HOUSE, heat_source: { kind: 'heat_pump' as const, supply: { min: 24, max: 38 } } }
    const { accountId } = world.world.holder
    await applyHouse(world.store, world.clock, file, { accountId, overwriteSettings: false, prune: false })
    await heatingOf(world.world).control(world.world.holder.buildingId)
    await world.world.patch({ manual_power: { enabled: true, power: 0.25 } })
    const source = await gateway.hear('source')
    const command = await gateway.hear('power', ({ seq }) => seq === source.seq)
    expect(source).toMatchObject({ epoch: command.epoch, issued: command.issued, valid_s: command.valid_s })
    expect(source.supply_c).toBeGreaterThanOrEqual(24)
    expect(source.supply_c).toBeLessThanOrEqual(38)
    await gateway.leave()
  })

  test('is one for each circuit that a gateway reports, within the limits of its mixer', async () => {
    const gateway = await world.gateway()
    world.clock.advance(HOUR_MS)
    gateway.say('heartbeat', { boot: gateway.boot })
    const circuit = { channels: [1], min_c: 20, max_c: 25, supply_set_c: null }
    await gateway.say('source', { lock: null, circuits: [circuit] })
    await eventually(async () => {
      const { sourceReport } = await world.store.db
        .selectFrom('gateways')
        .select('sourceReport')
        .where('id', '=', world.cellarId)
        .executeTakeFirstOrThrow()
      return sourceReport?.includes('circuits') ?? false
    })
    await heatingOf(world.world).control(world.world.holder.buildingId)
    await world.world.patch({ manual_power: { enabled: true, power: 0.75 } })
    const source = await gateway.hear('source', ({ circuits }) => circuits !== undefined)
    expect(source.circuits).toEqual([{ channels: [1], supply_c: 25 }])
    expect(source.supply_c).toBeGreaterThan(25)
    await gateway.leave()
  })
})

const row = (atMs: number) => ({
  comfort: 'balanced' as const,
  tariff: null,
  heatSource: JSON.stringify({ kind: 'heat_pump', supply: { max: 40 } }),
  supplySetpoint: JSON.stringify({ setC: 30, atMs, reason: { kind: 'no-demand' } }),
})

test('a setpoint that no step has renewed for two hours is no longer sent: the gateway falls back', () => {
  expect(supplySetpointOf(row(NOW_MS - 3_600_000), NOW_MS)?.setC).toBe(30)
  expect(supplySetpointOf(row(NOW_MS - 2.1 * 3_600_000), NOW_MS)).toBeNull()
})

test('without limits in the settings nothing is asked of the source', () => {
  expect(supplySetpointOf({ ...row(NOW_MS), heatSource: JSON.stringify({ kind: 'heat_pump' }) }, NOW_MS)).toBeNull()
})

test('the water is what a gateway that is heard reports', () => {
  const report = (supply_c: number | null, supply_set_c: number | null, lastSeenAt: number) => ({
    sourceReport: JSON.stringify({ lock: null, supply_c, supply_set_c }),
    lastSeenAt,
  })
  const availability = { silentAfterS: 300 }
  expect(supplyOf([report(31, 30, NOW_MS)], availability, NOW_MS)).toEqual({ measuredC: 31, setC: 30 })
  expect(supplyOf([report(31, null, NOW_MS - 400_000)], availability, NOW_MS)).toBeNull()
  expect(supplyOf([report(null, null, NOW_MS)], availability, NOW_MS)).toBeNull()
  expect(supplyOf([{ sourceReport: null, lastSeenAt: NOW_MS }], availability, NOW_MS)).toBeNull()
})

test.each([
  [{ sg_ready: 'locked', surplus_w: 4000 }, 'locked'],
  [{ sg_ready: 'recommended' }, 'cheap'],
  [{ sg_ready: 'forced' }, 'cheap'],
  [{ sg_ready: 'normal', surplus_w: 250 }, null],
  [{ surplus_w: 500 }, 'cheap'],
  [{}, null],
])('a gateway that reports %j makes heat %s', (report, grid) => {
  const gateway = { sourceReport: JSON.stringify(report), lastSeenAt: NOW_MS }
  expect(gridOf([gateway], { silentAfterS: 300 }, NOW_MS)).toBe(grid)
  expect(gridOf([{ ...gateway, lastSeenAt: NOW_MS - 400_000 }], { silentAfterS: 300 }, NOW_MS)).toBeNull()
})

test('hours ahead with enough forecast sun are sunny, those past or cloudy are not', () => {
  const hour = Math.floor(NOW_MS / 3_600_000) * 3_600_000
  const surplus_forecast = {
    start: new Date(hour - 3_600_000).toISOString(),
    step_s: 3600,
    values: [900, 900, 499, 500],
  }
  const gateway = { sourceReport: JSON.stringify({ lock: null, surplus_forecast }), lastSeenAt: NOW_MS }
  expect(sunnyOf([gateway], { silentAfterS: 300 }, NOW_MS)).toEqual([
    { fromMs: hour, toMs: hour + 3_600_000 },
    { fromMs: hour + 7_200_000, toMs: hour + 10_800_000 },
  ])
  expect(sunnyOf([{ ...gateway, lastSeenAt: NOW_MS - 400_000 }], { silentAfterS: 300 }, NOW_MS)).toEqual([])
})

test('a room belongs to the circuit that has all its loops', () => {
  const circuit = (...channels: number[]) => ({ channels, min_c: 20, max_c: 40, supply_set_c: 31 })
  const sourceReport = JSON.stringify({ lock: null, circuits: [circuit(1, 2), circuit(3)] })
  const on = (channel: number, gatewayId = 'a') => ({ gatewayId, channel, sourceReport })
  expect(circuitOfRoom([on(1), on(2)])).toEqual({ id: 'a 1,2', leastC: 20, mostC: 40, setC: 31 })
  expect(circuitOfRoom([on(1), on(3)])).toBeNull()
  expect(circuitOfRoom([on(1), on(4)])).toBeNull()
  expect(circuitOfRoom([on(1), on(1, 'b')])).toBeNull()
  expect(circuitOfRoom([on(4)])).toBeNull()
  expect(circuitOfRoom([])).toBeNull()
})
