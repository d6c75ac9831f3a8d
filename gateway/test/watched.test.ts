import type { GatewayStatus, WindowReport } from '@hypocaust/domain'
import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

function started(yaml: string): Simulation {
  const cellar = simulatedAgent(yaml)
  cellar.connect()
  return cellar
}

/** All that was sent to a relay of the manifold which is not a question. */
const commandsTo = ({ devices }: Simulation, relay: number) =>
  devices.sent.filter(({ topic, payload }) => topic === `cmnd/manifold/POWER${relay}` && payload !== '')

/** The other thermostat switches, and the manifold reports it. */
const other = (cellar: Simulation, relay: number, on: boolean) =>
  cellar.hear('stat/manifold/RESULT', { [`POWER${relay}`]: on ? 'ON' : 'OFF' })

/** Its state is all that is known of the valve. */
const REPORTING = house(1).replace(/driver: tasmota.*output: 1/, 'driver: mqtt, state: { topic: other/valve }')

const watched = (channels: number[]) => ({ revision: 2, watched: channels })

describe('a channel that another thermostat works', () => {
  test('is never commanded: not by commands, in the fallback, for an exercise, nor at the end', () => {
    const cellar = started(house(2))
    cellar.configure({ 1: 0.4, 2: 0.4 }, watched([1]))
    cellar.command(1, { 1: 1, 2: 1 })
    cellar.pass(10)
    expect(cellar.isOn(2)).toBe(true)
    cellar.pass(10 * DAY, undefined, 900)
    cellar.agent.stop()
    expect(commandsTo(cellar, 1)).toEqual([])
    expect(commandsTo(cellar, 2).length).toBeGreaterThan(0)
  })

  test('stays uncommanded after a restart without the service', () => {
    const cellar = started(house(2))
    cellar.configure({ 1: 0.4, 2: 0.4 }, watched([1]))
    cellar.pass(10)
    cellar.reboot()
    cellar.connect({ service: false })
    cellar.pass(2 * HOUR, undefined, 10)
    expect(commandsTo(cellar, 1)).toEqual([])
  })

  test('needs no topic to set it, and one that is not watched is logged as such', () => {
    const cellar = started(REPORTING)
    cellar.configure({ 1: 0 }, watched([1]))
    cellar.command(1, { 1: 0 })
    cellar.pass(
      2 * HOUR,
      (atS) => atS % MINUTE === 0 && cellar.hear('other/valve', atS % HOUR < HOUR / 2 ? 'ON' : 'OFF'),
    )
    const windows = cellar.windows()
    const openS = windows.reduce((sum, { open_s }) => sum + open_s, 0)
    expect(openS / windows.reduce((sum, { window_s }) => sum + window_s, 0)).toBeCloseTo(0.5, 1)
    expect(cellar.logged.join()).not.toContain('cannot be switched')
    cellar.configure({ 1: 0.5 }, { revision: 3, watched: [] })
    cellar.command(2, { 1: 1 })
    cellar.pass(HOUR)
    expect(cellar.logged.filter((line) => line.includes('cannot be switched'))).toHaveLength(1)
  })

  test('starts neither pump nor boiler', () => {
    const source = 'pump: { driver: tasmota, topic: manifold, output: 7 }'
    const cellar = started(house(2, {}, source))
    cellar.configure({ 1: 0, 2: 0 }, watched([1]))
    cellar.command(1, { 1: 0, 2: 0 })
    cellar.pass(HOUR, (atS) => atS % MINUTE === 0 && other(cellar, 1, true))
    expect(cellar.isOn(7)).toBe(false)
    cellar.command(2, { 1: 0, 2: 1 })
    cellar.pass(10 * MINUTE)
    expect(cellar.isOn(7)).toBe(true)
  })

  test('reports the time in which its relay was on', () => {
    const cellar = started(house(1))
    cellar.configure({ 1: 0 }, watched([1]))
    cellar.command(1, { 1: 0 })
    cellar.pass(2 * HOUR, (atS) => atS % MINUTE === 0 && other(cellar, 1, atS % HOUR < HOUR / 2))
    const windows = cellar.windows()
    expect(windows.every(({ source }) => source === 'watched')).toBe(true)
    const openS = windows.reduce((sum, { open_s }) => sum + open_s, 0)
    const knownS = windows.reduce((sum, { window_s }) => sum + window_s, 0)
    expect(openS / knownS).toBeCloseTo(0.5, 1)
  })

  test('reports nothing while its relay does not answer', () => {
    const cellar = simulatedAgent(house(1))
    cellar.deaf.add(1)
    cellar.connect()
    cellar.configure({ 1: 0 }, watched([1]))
    cellar.command(1, { 1: 0 })
    cellar.pass(3 * HOUR, undefined, 10)
    expect(cellar.windows()).toEqual([])
    other(cellar, 1, true)
    cellar.pass(3 * HOUR, undefined, 10)
    const windows: WindowReport[] = cellar.windows()
    expect(windows.reduce((sum, { window_s }) => sum + window_s, 0)).toBeLessThanOrEqual(15 * MINUTE)
  })

  test('is asked for its state, where the relay can be asked', () => {
    const cellar = started(house(1))
    cellar.configure({ 1: 0 }, watched([1]))
    cellar.devices.sent.length = 0
    cellar.pass(11 * MINUTE)
    const asked = cellar.devices.sent.filter(({ topic, payload }) => topic === 'cmnd/manifold/POWER1' && payload === '')
    expect(asked.length).toBe(2)
  })

  test('follows commands from the moment it is taken over, and none from the moment it is given back', () => {
    const cellar = started(house(1))
    cellar.configure({ 1: 0 }, watched([1]))
    cellar.command(1, { 1: 1 })
    cellar.pass(HOUR, undefined, 10)
    expect(commandsTo(cellar, 1)).toEqual([])
    cellar.configure({ 1: 0 }, { revision: 3 })
    cellar.command(2, { 1: 1 })
    cellar.pass(5)
    expect(cellar.isOn(1)).toBe(true)
    cellar.devices.sent.length = 0
    cellar.configure({ 1: 0 }, { revision: 4, watched: [1] })
    cellar.pass(2 * HOUR, undefined, 10)
    expect(commandsTo(cellar, 1)).toEqual([])
  })

  test('whatever is commanded and configured, gets no command while it is watched', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.record({ power: fc.constantFrom(0, 0.2, 1) }),
            fc.record({ fallback: fc.constantFrom(0, 0.5) }),
            fc.record({ reported: fc.boolean() }),
            fc.record({ hours: fc.integer({ min: 1, max: 200 }) }),
            fc.constant({ restart: true }),
          ),
          { maxLength: 8 },
        ),
        (events) => {
          const cellar = new Simulation(house(2))
          cellar.connect()
          cellar.configure({ 1: 0, 2: 0 }, watched([1]))
          const sent: string[] = []
          const keep = () => sent.push(...commandsTo(cellar, 1).map(({ payload }) => payload))
          for (const [seq, event] of events.entries()) {
            if ('power' in event) cellar.command(seq + 1, { 1: event.power, 2: event.power })
            if ('fallback' in event)
              cellar.configure({ 1: event.fallback, 2: 0 }, { ...watched([1]), revision: seq + 3 })
            if ('reported' in event) other(cellar, 1, event.reported)
            if ('hours' in event) cellar.pass(event.hours * HOUR, undefined, 3600)
            if ('restart' in event) {
              keep()
              cellar.restart()
              cellar.connect()
            }
            cellar.pass(2)
          }
          keep()
          cellar.end()
          expect(sent).toEqual([])
        },
      ),
      { numRuns: runs(20) },
    )
  })
})

test('a new gateway switches nothing until it knows which valves are its own', () => {
  const cellar = started(house(1))
  cellar.pass(20)
  expect(commandsTo(cellar, 1)).toEqual([])
  cellar.pass(20)
  expect(commandsTo(cellar, 1).map(({ payload }) => payload)).toEqual(['OFF'])
})

test('a gateway reports that it can leave channels to others', () => {
  const cellar = started(house(1))
  expect(cellar.taken<GatewayStatus>('status').at(-1)?.watches).toBe(true)
})
