import { describe, expect, test } from 'vitest'
import type { DriverName, Publish } from '../src/valves/driver.ts'
import { Relay, type RelaySettings } from '../src/valves/relay.ts'

const RELAYS: Record<DriverName, Pick<RelaySettings, 'topic' | 'output'>> = {
  shelly: { topic: 'shellypro4pm-a8032ab1c2d4', output: '0' },
  zigbee2mqtt: { topic: 'zigbee2mqtt/manifold', output: 'l1' },
  tasmota: { topic: 'tasmota_B83024', output: '2' },
  esphome: { topic: 'cellar', output: 'valve_4' },
}

/** A relay, what was published to it, and a broker that can be away. */
function bench(driver: DriverName, more: Partial<RelaySettings> = {}) {
  const published: Publish[] = []
  const logged: string[] = []
  const broker = { up: true }
  const relay = new Relay({
    name: 'channel 1',
    settings: { driver, ...RELAYS[driver], normally: 'closed', autoOffS: 900, ...more },
    asker: { replyTo: 'hypocaust-cellar', id: 1 },
    publish: (message) => {
      if (broker.up) published.push(message)
      return broker.up
    },
    log: (line) => logged.push(line),
  })
  const take = () => published.splice(0).map(({ topic, payload }) => `${topic} ${payload}`)
  const tell = (topic: string, said: object | string, nowMs: number, retained = false) =>
    relay.receive(topic, Buffer.from(typeof said === 'string' ? said : JSON.stringify(said)), retained, nowMs)
  return { relay, take, tell, broker, logged }
}

const call = (params: object) =>
  `shellypro4pm-a8032ab1c2d4/rpc ${JSON.stringify({ id: 1, src: 'hypocaust-cellar', method: 'Switch.Set', params })}`

describe('opening and closing', () => {
  const expected: Record<DriverName, { open: string[]; close: string[] }> = {
    shelly: { open: [call({ id: 0, on: true, toggle_after: 900 })], close: [call({ id: 0, on: false })] },
    zigbee2mqtt: {
      open: ['zigbee2mqtt/manifold/set {"state_l1":"ON","on_time_l1":900}'],
      close: ['zigbee2mqtt/manifold/set {"state_l1":"OFF"}'],
    },
    tasmota: {
      open: ['cmnd/tasmota_B83024/PulseTime2 1000', 'cmnd/tasmota_B83024/POWER2 ON'],
      close: ['cmnd/tasmota_B83024/POWER2 OFF'],
    },
    esphome: { open: ['cellar/switch/valve_4/command ON'], close: ['cellar/switch/valve_4/command OFF'] },
  }

  test.each(Object.entries(expected))('%s, with its auto-off where it has one', (driver, { open, close }) => {
    const { relay, take } = bench(driver as DriverName)
    relay.set(true, 0)
    expect(take()).toEqual(open)
    relay.set(false, 1)
    expect(take()).toEqual(close)
  })

  test('a zigbee relay of one output has no suffix', () => {
    const { relay, take } = bench('zigbee2mqtt', { output: '' })
    relay.set(true, 0)
    expect(take()).toEqual(['zigbee2mqtt/manifold/set {"state":"ON","on_time":900}'])
  })

  const inverted: Record<DriverName, { open: string[]; close: string[] }> = {
    shelly: { open: [call({ id: 0, on: false, toggle_after: 900 })], close: [call({ id: 0, on: true })] },
    zigbee2mqtt: {
      open: ['zigbee2mqtt/manifold/set {"state_l1":"OFF"}'],
      close: ['zigbee2mqtt/manifold/set {"state_l1":"ON"}'],
    },
    tasmota: {
      open: ['cmnd/tasmota_B83024/POWER2 OFF'],
      close: ['cmnd/tasmota_B83024/PulseTime2 0', 'cmnd/tasmota_B83024/POWER2 ON'],
    },
    esphome: { open: ['cellar/switch/valve_4/command OFF'], close: ['cellar/switch/valve_4/command ON'] },
  }

  test.each(Object.entries(inverted))('a normally open actuator on %s closes by current', (driver, { open, close }) => {
    const { relay, take } = bench(driver as DriverName, { normally: 'open' })
    relay.set(true, 0)
    expect(take()).toEqual(open)
    expect(relay.isOpen(1)).toBe(true)
    relay.set(false, 1)
    expect(take()).toEqual(close)
    expect(relay.isOpen(2)).toBe(false)
  })

  test('Tasmota counts seconds from 100, within what it takes', () => {
    const { relay, take } = bench('tasmota', { autoOffS: 70_000 })
    relay.set(true, 0)
    expect(take()[0]).toBe('cmnd/tasmota_B83024/PulseTime2 64900')
  })
})

describe('what is wanted is said again', () => {
  test('before the auto-off strikes, and to a closed relay too', () => {
    const { relay, take } = bench('shelly')
    relay.set(true, 0)
    relay.set(true, 449_000)
    expect(take()).toHaveLength(1)
    relay.set(true, 450_000)
    expect(take()).toHaveLength(1)
    relay.set(false, 460_000)
    take()
    relay.set(false, 910_000)
    expect(take()).toEqual([call({ id: 0, on: false })])
  })

  test('as soon as the broker takes it, and after the broker was away', () => {
    const { relay, take, broker } = bench('shelly')
    broker.up = false
    relay.set(true, 0)
    expect(relay.isOpen(0)).toBe(false)
    broker.up = true
    relay.set(true, 250)
    expect(take()).toHaveLength(1)
    relay.forget()
    relay.set(true, 500)
    expect(take()).toHaveLength(1)
  })

  test('when the relay reports something else, though not in haste', () => {
    const { relay, take, tell } = bench('tasmota')
    relay.set(true, 0)
    take()
    tell('stat/tasmota_B83024/RESULT', { POWER2: 'OFF' }, 1_000)
    relay.set(true, 2_000)
    expect(take()).toEqual([])
    relay.set(true, 10_000)
    expect(take()).toHaveLength(2)
  })

  test('when the relay comes back', () => {
    const { relay, take, tell, logged } = bench('shelly')
    relay.set(true, 0)
    tell('shellypro4pm-a8032ab1c2d4/online', 'false', 1_000)
    take()
    relay.set(true, 2_000)
    expect(relay.isOpen(2_000)).toBe(false)
    tell('shellypro4pm-a8032ab1c2d4/online', 'true', 3_000)
    relay.set(true, 3_250)
    expect(take()).toHaveLength(1)
    expect(relay.isOpen(3_250)).toBe(true)
    expect(logged).toEqual(['channel 1: its relay is not reachable', 'channel 1: its relay is back'])
  })

  test('seldom to a relay said to be away: who says so may be wrong', () => {
    const { relay, take, tell } = bench('tasmota')
    tell('tele/tasmota_B83024/LWT', 'Offline', 0, true)
    for (let ms = 0; ms < 900_000; ms += 1_000) relay.set(true, ms)
    expect(take()).toHaveLength(4)
  })

  test('and not every moment to a relay that refuses', () => {
    const { relay, take, tell, logged } = bench('shelly')
    relay.set(true, 0)
    const reply = { id: 1, src: 'shellypro4pm', dst: 'hypocaust-cellar', error: { code: -105, message: 'no id 0' } }
    tell('hypocaust-cellar/rpc', reply, 100)
    for (let ms = 250; ms < 10_000; ms += 250) relay.set(true, ms)
    expect(take()).toHaveLength(1)
    expect(relay.isOpen(9_000)).toBe(false)
    expect(logged).toEqual(['channel 1: its relay refused: no id 0'])
  })

  test('but not while somebody works the relay by hand', () => {
    const { relay, take } = bench('shelly')
    relay.hold(60_000)
    relay.set(true, 1_000)
    expect(take()).toEqual([])
    relay.set(true, 60_000)
    expect(take()).toHaveLength(1)
  })
})

describe('what counts as open', () => {
  const reports: Record<DriverName, [string, object | string, object | string]> = {
    shelly: [
      'shellypro4pm-a8032ab1c2d4/status/switch:0',
      { id: 0, output: true, apower: 2.1 },
      { id: 0, output: false },
    ],
    zigbee2mqtt: ['zigbee2mqtt/manifold', { state_l1: 'ON', state_l2: 'OFF' }, { state_l1: 'OFF', state_l2: 'ON' }],
    tasmota: ['stat/tasmota_B83024/POWER2', 'ON', 'OFF'],
    esphome: ['cellar/switch/valve_4/state', 'ON', 'OFF'],
  }

  test.each(Object.entries(reports))('%s: its own report, where it tells', (driver, [topic, on, off]) => {
    const { relay, tell } = bench(driver as DriverName)
    relay.set(true, 0)
    expect(relay.isOpen(1)).toBe(true)
    tell(topic, off, 10)
    expect(relay.isOpen(11)).toBe(false)
    tell(topic, on, 20)
    expect(relay.isOpen(21)).toBe(true)
    relay.set(false, 30)
    expect(relay.isOpen(31)).toBe(false)
    tell(topic, on, 40)
    expect(relay.isOpen(41)).toBe(true)
  })

  test('a Shelly notification', () => {
    const { relay, tell } = bench('shelly')
    relay.set(true, 0)
    const params = { ts: 1747488776.28, 'switch:0': { id: 0, output: false } }
    tell('shellypro4pm-a8032ab1c2d4/events/rpc', { method: 'NotifyStatus', params }, 10)
    expect(relay.isOpen(11)).toBe(false)
  })

  test('a retained state is of unknown age and contradicts nobody', () => {
    const { relay, tell } = bench('esphome')
    relay.set(true, 0)
    tell('cellar/switch/valve_4/state', 'OFF', 10, true)
    expect(relay.isOpen(11)).toBe(true)
  })

  test('not beyond the auto-off, if it could not be renewed', () => {
    const { relay } = bench('shelly')
    relay.set(true, 0)
    expect(relay.isOpen(899_000)).toBe(true)
    expect(relay.isOpen(901_000)).toBe(false)
  })

  test('an actuator that draws no current is told of once', () => {
    const { relay, tell, logged } = bench('shelly')
    relay.set(true, 0)
    for (const ms of [1_000, 61_000, 121_000])
      tell('shellypro4pm-a8032ab1c2d4/status/switch:0', { id: 0, output: true, apower: 0 }, ms)
    expect(logged).toEqual(['channel 1: the relay is on, but the actuator draws no current; is it connected?'])
  })
})

describe('when the agent goes', () => {
  test.each([
    ['shelly', 0],
    ['zigbee2mqtt', 0],
    ['tasmota', 0],
    ['esphome', 1],
  ] as const)('%s: a relay with an auto-off is left to it, another is closed', (driver, messages) => {
    const { relay, take } = bench(driver)
    relay.set(true, 0)
    take()
    relay.leave(1_000)
    expect(take()).toHaveLength(messages)
  })
})
