import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const MINUTE = 60

describe('meters of the heat source', () => {
  let cellar: Simulation
  beforeEach(() => {
    cellar = new Simulation(
      house(
        1,
        {},
        `
meters:
  - { kind: electricity, topic: em/a, path: aenergy.total, unit: Wh }
  - { kind: electricity, topic: em/b, path: aenergy.total, unit: Wh }
  - { kind: heat, topic: boiler_data, path: nrgsuppheating, unit: kWh }`,
      ),
    )
    cellar.connect()
  })
  afterEach(() => cellar.end())

  const meters = () => cellar.taken<{ meters?: { kind: string; kwh: number }[] }>('source').at(-1)?.meters
  const kwh = () => Object.fromEntries(meters()?.map((meter) => [meter.kind, meter.kwh]) ?? [])

  test('are reported in kWh, and phases together, once all of them are known', () => {
    cellar.hear('em/a', { aenergy: { total: 1_500_000 } })
    cellar.hear('boiler_data', { nrgsuppheating: 4321 })
    cellar.pass(1)
    expect(kwh()).toEqual({ heat: 4321 })
    cellar.hear('em/b', { aenergy: { total: 250_500 } })
    cellar.pass(6 * MINUTE)
    expect(kwh()).toEqual({ heat: 4321, electricity: 1750.5 })
  })

  test('are reported every five minutes, however often they change', () => {
    for (let i = 0; i < 20 * MINUTE; i += 10) {
      cellar.hear('boiler_data', { nrgsuppheating: 4321 + i })
      cellar.pass(10)
    }
    const reports = cellar.taken<{ meters?: unknown }>('source').filter((report) => report.meters !== undefined)
    expect(reports.length).toBeGreaterThanOrEqual(4)
    expect(reports.length).toBeLessThanOrEqual(6)
  })

  test('are not taken from retained messages, which may be of any age', () => {
    cellar.hear('boiler_data', { nrgsuppheating: 4321 }, true)
    cellar.pass(1)
    expect(meters()).toBeUndefined()
  })

  test('that are missing in a message, or are a power, are named in the log once', () => {
    cellar.hear('boiler_data', { curflowtemp: 31 })
    cellar.hear('boiler_data', { nrgsuppheating: -1 })
    expect(cellar.logged.filter((line) => line.includes('meter'))).toEqual([
      'heat meter: nrgsuppheating of boiler_data is missing; a counter from 0 to 100000000 kWh is needed',
    ])
    for (const total of [2400, 2300, 2500, 2100, 2600, 2000]) cellar.hear('em/a', { aenergy: { total } })
    expect(cellar.logged.filter((line) => line.includes('falls again and again'))).toHaveLength(1)
    expect(meters()).toBeUndefined()
  })
})
