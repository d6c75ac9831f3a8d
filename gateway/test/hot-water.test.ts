import { matches, SourceReport } from '@hypocaust/domain'
import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { parseGatewayFile } from '../src/index.ts'

const MINUTE = 60
const HOUR = 3600
const TANK = `
hot_water:
  busy: { topic: pump/state, path: dhw, on: true }
  tank: { topic: pump/state, path: tank }
  charge: { driver: ems-esp, topic: ems-esp }
  disinfect: { driver: ems-esp, topic: ems-esp }`
const ONCE = 'ems-esp/boiler/dhw/onetime'
const DISINFECTING = 'ems-esp/boiler/dhw/disinfecting'

let cellar: Simulation
afterEach(() => cellar.end())

function start(yaml = TANK): void {
  cellar = new Simulation(house(1, {}, yaml))
  cellar.connect()
  cellar.configure({ 1: 1 })
  cellar.command(1, { 1: 1 })
  cellar.pass(10)
}

const say = (seq: number, more: object) =>
  cellar.order('source', { epoch: 1, seq, issued: new Date(cellar.wallMs).toISOString(), valid_s: 2700, ...more })
const said = (topic: string) => cellar.devices.sent.filter((each) => each.topic === topic).map(({ payload }) => payload)
const reported = () => cellar.taken<{ hot_water?: object; lock?: string | null }>('source').at(-1)

describe('the source of hot water', () => {
  test('is asked once for a charge, and released once it is no longer asked for', () => {
    start()
    say(2, { hot_water: 'charge' })
    cellar.pass(10 * MINUTE)
    say(3, { hot_water: 'charge' })
    cellar.pass(10 * MINUTE)
    expect(said(ONCE)).toEqual(['on'])
    say(4, { hot_water: 'none' })
    cellar.pass(10)
    expect(said(ONCE)).toEqual(['on', 'off'])
    expect(said(DISINFECTING)).toEqual([])
  })

  test('is asked for a disinfection on a topic of its own', () => {
    start()
    say(2, { hot_water: 'disinfect' })
    cellar.pass(10)
    say(3, { hot_water: 'charge' })
    cellar.pass(10)
    expect([said(DISINFECTING), said(ONCE)]).toEqual([['on', 'off'], ['on']])
  })

  test('is released once the service has been silent for as long as its command is valid', () => {
    start()
    say(2, { hot_water: 'charge' })
    cellar.pass(44 * MINUTE, undefined, 5)
    expect(said(ONCE)).toEqual(['on'])
    cellar.pass(2 * MINUTE, undefined, 5)
    expect(said(ONCE)).toEqual(['on', 'off'])
  })

  test('is never asked without an order, and not by one of before', () => {
    start()
    say(5, { hot_water: 'none' })
    say(4, { hot_water: 'charge' })
    cellar.pass(HOUR, undefined, 5)
    expect(said(ONCE)).toEqual([])
  })

  test('stays asked over a restart while the command is valid, and is released after it', () => {
    start()
    say(2, { hot_water: 'charge' })
    cellar.pass(10 * MINUTE, undefined, 5)
    cellar.restart()
    cellar.connect()
    cellar.pass(30 * MINUTE, undefined, 5)
    expect(said(ONCE).every((payload) => payload === 'on')).toBe(true)
    cellar.pass(10 * MINUTE, undefined, 5)
    expect(said(ONCE).at(-1)).toBe('off')
  })

  test.each([
    ['dies', () => cellar.restart()],
    [
      'is stopped',
      () => {
        cellar.agent.stop()
        cellar.restart()
      },
    ],
  ])('is not asked again by an order that ended before the agent that %s is back', (_, restart) => {
    start()
    say(2, { hot_water: 'charge' })
    cellar.pass(MINUTE)
    restart()
    cellar.wallMs += 3 * HOUR * 1000
    cellar.monoMs += 3 * HOUR * 1000
    cellar.connect()
    cellar.pass(MINUTE)
    expect(said(ONCE)).not.toContain('on')
  })

  test('is not asked by an order for the gateway that this one was before it was paired anew', () => {
    start()
    say(2, { hot_water: 'charge' })
    cellar.pass(MINUTE)
    cellar.becomeGateway('019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9f')
    cellar.connect()
    cellar.pass(MINUTE)
    expect(said(ONCE)).not.toContain('on')
  })

  test('is left to its own control after six hours, whatever the service says, until it says something else', () => {
    start()
    for (let seq = 2; seq < 20; seq++) {
      say(seq, { hot_water: 'charge' })
      cellar.pass(30 * MINUTE, undefined, 10)
    }
    expect(said(ONCE)).toEqual(['on', 'off'])
    say(30, { hot_water: 'none' })
    cellar.pass(10)
    say(31, { hot_water: 'charge' })
    cellar.pass(10)
    expect(said(ONCE)).toEqual(['on', 'off', 'on'])
  })

  describe.each([
    ['dies', () => cellar.restart()],
    [
      'is stopped',
      () => {
        cellar.agent.stop()
        cellar.restart()
      },
    ],
    [
      'loses its machine, whose clock nobody has set',
      () => {
        cellar.clockSet = false
        cellar.reboot()
      },
    ],
  ])('when the agent %s every hour', (_, restart) => {
    test('is left to its own control after six hours all the same', () => {
      start()
      let seq = 1
      const askedFor = (hours: number) => {
        let askedH = 0
        for (let hour = 0; hour < hours; hour++) {
          for (let i = 0; i < 4; i++) {
            say(++seq, { hot_water: 'charge' })
            cellar.pass(15 * MINUTE, undefined, 10)
            askedH += said(ONCE).at(-1) === 'on' ? 0.25 : 0
          }
          restart()
          cellar.connect()
        }
        return askedH
      }
      const askedH = askedFor(9)
      expect(askedH).toBeGreaterThan(4)
      expect(askedH).toBeLessThan(6.5)
      say(++seq, { hot_water: 'none' })
      cellar.pass(10)
      say(++seq, { hot_water: 'charge' })
      cellar.pass(10)
      expect(said(ONCE).at(-1)).toBe('on')
    })
  })

  describe('while a room may freeze', () => {
    const cold = (hours: number, order = () => 'charge') => {
      let askedS = 0
      let seq = 1
      cellar.configure({ 1: 0 }, { sensors: { 1: ['02:00:00:00:00:05'] } })
      cellar.pass(
        hours * HOUR,
        (atS) => {
          if (atS % MINUTE === 0) cellar.measure(4)
          if (atS % (5 * MINUTE) === 0) say(++seq, { hot_water: order() })
          askedS += said(ONCE).at(-1) === 'on' ? 10 : 0
        },
        10,
      )
      return askedS / HOUR
    }

    test('is asked for an hour at most', () => {
      start()
      const askedH = cold(4)
      expect(askedH).toBeGreaterThan(0.9)
      expect(askedH).toBeLessThan(1.1)
    })

    test('is not asked again within the next hour, whatever the service says', () => {
      start()
      let times = 0
      // The order ends now and then, as that of a tank that stays too cold does.
      const askedH = cold(6, () => (++times % 4 === 0 ? 'none' : 'charge'))
      expect(askedH).toBeLessThan(3.5)
    })

    test('is released at once where it has been asked for longer before', () => {
      start()
      for (let seq = 2; seq < 10; seq++) {
        say(seq, { hot_water: 'charge' })
        cellar.pass(15 * MINUTE, undefined, 10)
      }
      cellar.configure({ 1: 0 }, { sensors: { 1: ['02:00:00:00:00:05'] } })
      cellar.measure(4)
      cellar.pass(10)
      expect(said(ONCE)).toEqual(['on', 'off'])
    })
  })

  describe('that has been busy for hours without a word', () => {
    const busyFor = (hours: number) =>
      cellar.pass(
        hours * HOUR,
        (atS) => {
          if (atS % (30 * MINUTE) === 0) cellar.hear('pump/state', { dhw: true, tank: 40 })
        },
        10,
      )

    test('is not believed after six hours, restarts of the agent included', () => {
      start()
      for (let hour = 0; hour < 7; hour++) {
        busyFor(1)
        cellar.restart()
        cellar.connect()
      }
      cellar.command(2, { 1: 1 })
      busyFor(0.2)
      expect(cellar.relayIsOn(1)).toBe(true)
      cellar.hear('pump/state', { dhw: false, tank: 50 })
      cellar.hear('pump/state', { dhw: true, tank: 50 })
      cellar.pass(5 * MINUTE)
      expect(cellar.relayIsOn(1)).toBe(false)
    })

    test('is not believed after three hours of silence, whose length no clock can tell', () => {
      start()
      cellar.hear('pump/state', { dhw: true, tank: 40 })
      for (let hour = 0; hour < 4; hour++) {
        cellar.pass(HOUR, undefined, 10)
        cellar.clockSet = false
        cellar.reboot()
        cellar.connect()
      }
      cellar.command(2, { 1: 1 })
      cellar.pass(5 * MINUTE)
      expect(cellar.relayIsOn(1)).toBe(true)
    })

    test('is still busy after a restart, though it reports only changes', () => {
      start()
      cellar.hear('pump/state', { dhw: true, tank: 40 })
      cellar.pass(10 * MINUTE, undefined, 5)
      cellar.restart()
      cellar.connect()
      cellar.command(2, { 1: 1 })
      cellar.pass(10 * MINUTE, undefined, 5)
      expect(cellar.relayIsOn(1)).toBe(false)
    })
  })

  test.each(['', 'null', true])('whose tank reports %j has a tank of unknown warmth', (tank) => {
    start()
    cellar.hear('pump/state', { dhw: false, tank })
    cellar.pass(2 * MINUTE)
    expect(reported()).toMatchObject({ hot_water: { tank_c: null } })
  })

  test.each([-127, 327.67, 1e9])('is reported though sensors of water and outdoor air report %d', (broken) => {
    start(`${TANK}
flow_temperature: { topic: flow, max_c: 45 }
surplus: { topic: surplus }
meters: [{ kind: heat, topic: meter, unit: MWh }]`)
    for (const topic of ['flow', 'surplus']) cellar.hear(topic, String(broken))
    cellar.hear('meter', String(Math.abs(broken) * 1e6))
    cellar.hear('pump/state', { dhw: true, tank: broken })
    cellar.pass(2 * MINUTE)
    const report = reported()
    expect(report).toMatchObject({ lock: 'hot_water', supply_c: null, hot_water: { tank_c: null, busy: true } })
    expect(matches(SourceReport, report)).toBe(true)
  })

  test('is released when the agent ends', () => {
    start()
    say(2, { hot_water: 'charge' })
    cellar.pass(10)
    cellar.agent.stop()
    expect(said(ONCE)).toEqual(['on', 'off'])
  })

  test('is reported with the temperature of the tank, and the loops are closed while it is busy', () => {
    start()
    expect(reported()?.hot_water).toEqual({ tank_c: null, busy: null, can: ['charge', 'disinfect'], asked: null })
    cellar.hear('pump/state', { dhw: true, tank: 47.3 })
    say(2, { hot_water: 'charge' })
    cellar.pass(20 * MINUTE)
    expect(reported()).toMatchObject({
      lock: 'hot_water',
      hot_water: { tank_c: 47.5, busy: true, can: ['charge', 'disinfect'], asked: 'charge' },
    })
    expect(cellar.relayIsOn(1)).toBe(false)
    cellar.hear('pump/state', { dhw: false, tank: 53 })
    cellar.pass(5)
    expect(reported()).toMatchObject({ lock: null, hot_water: { tank_c: 53, busy: false } })
    expect(cellar.relayIsOn(1)).toBe(true)
  })

  test('has a tank of unknown temperature once its sensor has been silent for an hour', () => {
    start()
    cellar.hear('pump/state', { dhw: false, tank: 50 })
    cellar.pass(59 * MINUTE, undefined, 5)
    expect(reported()?.hot_water).toMatchObject({ tank_c: 50 })
    cellar.pass(2 * MINUTE, undefined, 5)
    expect(reported()?.hot_water).toMatchObject({ tank_c: null })
  })

  test('is not reported by a gateway that knows only whether it is made', () => {
    start('\nhot_water: { topic: pump/dhw, on: 1 }')
    cellar.hear('pump/dhw', '1')
    cellar.pass(5)
    expect(reported()).not.toHaveProperty('hot_water')
  })

  test.each([
    ['{ driver: otgw, topic: OTGW/set/otgw-1 }', 'OTGW/set/otgw-1/hotwater', ['P', 'A']],
    ['{ driver: ebusd, topic: ebusd/700/HwcSFMode }', 'ebusd/700/HwcSFMode/set', ['load', 'auto']],
    ['{ driver: heishamon, topic: panasonic_heat_pump }', 'panasonic_heat_pump/commands/SetForceDHW', ['1', '0']],
    ['{ driver: mqtt, topic: tank/set, on: "52", off: "46" }', 'tank/set', ['52', '46']],
  ])('is asked in the way of its device: %s', (charge, topic, payloads) => {
    start(`\nhot_water: { charge: ${charge} }`)
    say(2, { hot_water: 'charge' })
    cellar.pass(10)
    say(3, { hot_water: 'none' })
    cellar.pass(10)
    expect(said(topic)).toEqual(payloads)
  })

  test.each([
    ['hot_water: {}', /hot_water: needs busy, tank, charge or disinfect/],
    ['hot_water: { charge: { driver: knx, topic: a } }', /hot_water.charge.driver/],
    ['hot_water: { tank: { path: a } }', /hot_water.tank: needs either sensor or topic/],
    [
      'hot_water: { charge: { driver: otgw, topic: a }, disinfect: { driver: otgw, topic: a } }',
      /disinfect.driver: otgw takes no order/,
    ],
    ['hot_water: { disinfect: { driver: mqtt, topic: a } }', /hot_water.disinfect: needs charge beside it/],
  ])('a mistake in %s is named', (yaml, message) => {
    start()
    expect(() => parseGatewayFile(house(1, {}, yaml), 'gateway.yaml')).toThrow(message)
  })
})
