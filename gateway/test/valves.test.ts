import { describe, expect, test } from 'vitest'
import type { DeviceDriver, Publish } from '../src/valves/driver.ts'
import { DRIVERS } from '../src/valves/drivers.ts'
import { Relay, type RelaySettings } from '../src/valves/relay.ts'

const RELAYS: Record<DeviceDriver, Pick<RelaySettings, 'topic' | 'output'>> = {
  shelly: { topic: 'shellypro4pm-a8032ab1c2d4', output: '0' },
  zigbee2mqtt: { topic: 'zigbee2mqtt/manifold', output: 'l1' },
  tasmota: { topic: 'tasmota_B83024', output: '2' },
  esphome: { topic: 'cellar', output: 'valve_4' },
}

/** A relay, what was published to it, and a broker that can be away. */
function bench(driver: DeviceDriver, more: Partial<RelaySettings> = {}, isProven = true) {
  const published: Publish[] = []
  const logged: string[] = []
  const broker = { up: true }
  const relay = new Relay({
    name: 'channel 1',
    settings: { driver, ...RELAYS[driver], normally: 'closed', autoOffS: 900, ...more },
    reply: { replyTo: 'hypocaust-cellar', id: 1 },
    isAutoOffProven: () => isProven,
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

/** What each relay reports when it is on, and when it is off. */
const REPORTS: Record<DeviceDriver, [topic: string, on: object | string, off: object | string]> = {
  shelly: ['shellypro4pm-a8032ab1c2d4/status/switch:0', { id: 0, output: true, apower: 2.1 }, { id: 0, output: false }],
  zigbee2mqtt: ['zigbee2mqtt/manifold', { state_l1: 'ON', state_l2: 'OFF' }, { state_l1: 'OFF', state_l2: 'ON' }],
  tasmota: ['stat/tasmota_B83024/POWER2', 'ON', 'OFF'],
  esphome: ['cellar/switch/valve_4/state', 'ON', 'OFF'],
}

const call = (params: object) =>
  `shellypro4pm-a8032ab1c2d4/rpc ${JSON.stringify({ id: 1, src: 'hypocaust-cellar', method: 'Switch.Set', params })}`

describe('opening and closing', () => {
  const expected: Record<DeviceDriver, { open: string[]; close: string[] }> = {
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
    const { relay, take } = bench(driver as DeviceDriver)
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

  const inverted: Record<DeviceDriver, { open: string[]; close: string[] }> = {
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
    const { relay, take, tell } = bench(driver as DeviceDriver, { normally: 'open' })
    const [topic, on, off] = REPORTS[driver as DeviceDriver]
    relay.set(true, 0)
    expect(take()).toEqual(open)
    tell(topic, off, 1)
    expect(relay.isOpen(1)).toBe(true)
    relay.set(false, 2)
    expect(take()).toEqual(close)
    tell(topic, on, 3)
    expect(relay.isOpen(3)).toBe(false)
  })

  test('Tasmota with another FullTopic has the prefix where the topic says', () => {
    const { tasmota } = DRIVERS
    const relay = { driver: 'tasmota' as const, topic: 'house/%prefix%/cellar', output: '2' }
    const reply = { replyTo: '', id: 1 }
    expect(tasmota.publishes(relay, { on: false, backAfterS: null }, reply)).toEqual([
      { topic: 'house/cmnd/cellar/POWER2', payload: 'OFF' },
    ])
    expect(tasmota.subscriptions(relay, reply)).toContain('house/tele/cellar/STATE')
    expect(tasmota.feedback(relay, 'house/stat/cellar/RESULT', Buffer.from('{"POWER2":"ON"}'), reply)).toEqual({
      kind: 'state',
      on: true,
      watts: null,
    })
  })

  test('Tasmota counts seconds from 100, within what it takes', () => {
    const { relay, take } = bench('tasmota', { autoOffS: 70_000 })
    relay.set(true, 0)
    expect(take()[0]).toBe('cmnd/tasmota_B83024/PulseTime2 64900')
  })
})

describe('what is wanted is said again', () => {
  test('before the auto-off strikes, and to a closed relay too', () => {
    const { relay, take, tell } = bench('shelly')
    const [topic, on, off] = REPORTS.shelly
    relay.set(true, 0)
    tell(topic, on, 100)
    relay.set(true, 449_000)
    expect(take()).toHaveLength(1)
    relay.set(true, 450_000)
    expect(take()).toHaveLength(1)
    relay.set(false, 460_000)
    tell(topic, off, 460_100)
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

  test('when the periodic state of a Tasmota says otherwise', () => {
    const { relay, take, tell } = bench('tasmota')
    relay.set(true, 0)
    tell(...pick(REPORTS.tasmota), 100)
    take()
    tell('tele/tasmota_B83024/STATE', { Uptime: '0T00:00:10', POWER1: 'ON', POWER2: 'OFF' }, 60_000)
    expect(relay.isOpen(60_000)).toBe(false)
    relay.set(true, 70_000)
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
    expect(relay.isOpen(3_250)).toBe(false)
    tell(...pick(REPORTS.shelly), 3_300)
    expect(relay.isOpen(3_300)).toBe(true)
    expect(logged).toEqual([
      'channel 1: its relay is not reachable',
      'channel 1: its relay does not answer; time is not counted as open',
      'channel 1: its relay is back',
      'channel 1: its relay answers again',
    ])
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

  test('but not while the relay is switched by hand', () => {
    const { relay, take } = bench('shelly')
    relay.hold(60_000)
    relay.set(true, 1_000)
    expect(take()).toEqual([])
    relay.set(true, 60_000)
    expect(take()).toHaveLength(1)
  })
})

describe('what counts as open', () => {
  test.each(Object.entries(REPORTS))('%s: what it reports counts, not the command', (driver, [topic, on, off]) => {
    const { relay, tell } = bench(driver as DeviceDriver)
    relay.set(true, 0)
    expect(relay.isOpen(1)).toBe(false)
    tell(topic, on, 10)
    expect(relay.isOpen(11)).toBe(true)
    tell(topic, off, 20)
    expect(relay.isOpen(21)).toBe(false)
    tell(topic, on, 30)
    relay.set(false, 40)
    expect(relay.isOpen(41)).toBe(true)
    tell(topic, off, 50)
    expect(relay.isOpen(51)).toBe(false)
  })

  test('a Shelly notification', () => {
    const { relay, tell } = bench('shelly')
    relay.set(true, 0)
    const params = { ts: 1747488776.28, 'switch:0': { id: 0, output: false } }
    tell('shellypro4pm-a8032ab1c2d4/events/rpc', { method: 'NotifyStatus', params }, 10)
    expect(relay.isOpen(11)).toBe(false)
  })

  test('not a retained state, which is of unknown age', () => {
    const { relay, tell } = bench('tasmota')
    relay.set(true, 0)
    tell('stat/tasmota_B83024/POWER2', 'ON', 10, true)
    expect(relay.isOpen(11)).toBe(false)
  })

  test('but the retained state of an ESPHome switch, which publishes changes only', () => {
    const { relay, take, tell } = bench('esphome')
    tell('cellar/switch/valve_4/state', 'ON', 10, true)
    for (let ms = 100; ms < 3_600_000; ms += 5_000) relay.set(true, ms)
    expect(relay.isOpen(3_600_000)).toBe(true)
    expect(relay.health.state).toBe('ok')
    expect(take().length).toBeLessThan(10)
    tell('cellar/status', 'offline', 3_600_000)
    expect(relay.isOpen(3_600_001)).toBe(false)
  })

  test('the reply of a Shelly to a repeated command confirms it', () => {
    const { relay, tell } = bench('shelly')
    const reply = (was_on: boolean) => ({ id: 1, src: 'shellypro4pm', dst: 'hypocaust-cellar', result: { was_on } })
    relay.set(true, 0)
    tell('hypocaust-cellar/rpc', reply(false), 50)
    expect(relay.isOpen(60)).toBe(false)
    tell(...pick(REPORTS.shelly), 70)
    relay.set(true, 450_000)
    tell('hypocaust-cellar/rpc', reply(true), 450_050)
    relay.set(true, 490_000)
    expect(relay.isOpen(490_000)).toBe(true)
  })

  test('an actuator that draws no current is reported once', () => {
    const { relay, tell, logged } = bench('shelly')
    relay.set(true, 0)
    for (const ms of [1_000, 61_000, 121_000])
      tell('shellypro4pm-a8032ab1c2d4/status/switch:0', { id: 0, output: true, apower: 0 }, ms)
    expect(logged).toEqual(['channel 1: the relay is on, but the actuator draws no current; is it connected?'])
  })
})

/** Topic and report of a relay that is on. */
function pick([topic, on]: [string, object | string, object | string]): [string, object | string] {
  return [topic, on]
}

describe('when the agent stops', () => {
  test.each([
    ['shelly', true, 0],
    ['zigbee2mqtt', true, 0],
    ['tasmota', true, 0],
    ['esphome', true, 1],
    ['shelly', false, 1],
    ['zigbee2mqtt', false, 1],
    ['tasmota', false, 1],
  ] as const)('%s, auto-off proven %s: %d messages to close it', (driver, isProven, messages) => {
    const { relay, take } = bench(driver, {}, isProven)
    relay.set(true, 0)
    take()
    relay.leave(1_000)
    expect(take()).toHaveLength(messages)
  })
})

describe('zigbee2mqtt', () => {
  test('gets the command again when its bridge has started, and is asked for the state when it does not confirm', () => {
    const { relay, take, tell } = bench('zigbee2mqtt')
    tell('zigbee2mqtt/bridge/state', { state: 'online' }, 0, true)
    relay.set(true, 0)
    expect(take()).toHaveLength(1)
    tell('zigbee2mqtt/bridge/state', { state: 'offline' }, 1_000)
    tell('zigbee2mqtt/bridge/state', { state: 'online' }, 2_000)
    relay.set(true, 2_250)
    expect(take()).toEqual([
      'zigbee2mqtt/manifold/set {"state_l1":"ON","on_time_l1":900}',
      'zigbee2mqtt/manifold/get {"state_l1":""}',
    ])
    for (let ms = 2_500; ms < 120_000; ms += 250) relay.set(true, ms)
    expect(take().filter((line) => line.includes('/set '))).toHaveLength(2)
    tell(...pick(REPORTS.zigbee2mqtt), 120_000)
    for (let ms = 120_000; ms < 300_000; ms += 250) relay.set(true, ms)
    expect(take()).toEqual([])
  })
})
