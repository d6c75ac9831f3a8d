import { house, type Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import { describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const PROBE = '02:00:00:00:00:05'

function started(yaml: string): Simulation {
  const cellar = simulatedAgent(yaml)
  cellar.connect()
  return cellar
}

describe('a floor probe', () => {
  const electric = house(1, { 1: `heat: electric, floor_probe: { sensor: "${PROBE}", max_c: 27 }` })
  const hydronic = house(1, { 1: `floor_probe: { sensor: "${PROBE}", max_c: 27 }` })

  test.each([
    ['electric', electric],
    ['hydronic', hydronic],
  ])('stops %s heat when the floor is too warm, and lets it go on when it has cooled', (_, yaml) => {
    const floor = started(yaml)
    floor.measure(25)
    floor.command(1, { 1: 1 })
    floor.pass(10)
    expect(floor.isOn(1)).toBe(true)
    floor.pass(5 * MINUTE)
    floor.measure(27.2)
    floor.pass(5 * MINUTE)
    expect(floor.isOn(1)).toBe(false)
    floor.measure(26.8)
    floor.pass(5 * MINUTE)
    expect(floor.isOn(1)).toBe(false)
    floor.measure(26.4)
    floor.pass(5 * MINUTE)
    expect(floor.isOn(1)).toBe(true)
  })

  test('an electric mat without a word from its probe stays cold, a water loop does not', () => {
    const mat = started(electric)
    mat.command(1, { 1: 1 })
    mat.pass(10)
    expect(mat.isOn(1)).toBe(false)
    mat.measure(22)
    mat.pass(10)
    expect(mat.isOn(1)).toBe(true)
    mat.pass(31 * MINUTE)
    expect(mat.isOn(1)).toBe(false)

    const loop = started(hydronic)
    loop.command(1, { 1: 1 })
    loop.pass(40 * MINUTE)
    expect(loop.isOn(1)).toBe(true)
  })
})

describe('an electric mat', () => {
  const mat = house(1, { 1: `heat: electric, floor_probe: { sensor: "${PROBE}" }` })

  test('stays off until its relay is proven to switch off by itself', () => {
    const cellar = simulatedAgent(mat, { isProven: false })
    cellar.connect()
    cellar.measure(20)
    cellar.command(1, { 1: 1 })
    cellar.pass(MINUTE)
    expect(cellar.isOn(1)).toBe(false)
    expect(cellar.logged.join()).toContain('channel 1 stays off: prove its auto-off with hypocaust gateway test')
  })

  test('a retained probe value of 59 minutes ago does not switch it on, one of 10 minutes ago does', () => {
    const zigbee = mat
      .replace('02:00:00:00:00:05", temperature', '02:00:00:00:00:06", temperature')
      .replace(`sensor: "${PROBE}" }`, 'sensor: "00:15:8d:00:01:a2:b3:c4" }')
    const cellar = started(zigbee)
    const bridge = [{ friendly_name: 'floor', ieee_address: '0x00158d0001a2b3c4', definition: { exposes: [] } }]
    cellar.hear('zigbee2mqtt/bridge/devices', bridge, true)
    const said = (minutesAgo: number) => ({
      temperature: 22,
      last_seen: new Date(cellar.wallMs - minutesAgo * 60_000).toISOString(),
    })
    cellar.hear('zigbee2mqtt/floor', said(59), true)
    cellar.command(1, { 1: 1 })
    cellar.pass(MINUTE)
    expect(cellar.isOn(1)).toBe(false)
    cellar.hear('zigbee2mqtt/floor', said(10), true)
    cellar.pass(MINUTE)
    expect(cellar.isOn(1)).toBe(true)
    cellar.pass(21 * MINUTE)
    expect(cellar.isOn(1)).toBe(false)
  })
})

test('a mat whose floor probe has not reported stays off, and the log and the service learn why', () => {
  const cellar = started(house(1, { 1: 'heat: electric, floor_probe: { sensor: "02:00:00:00:00:77" }' }))
  cellar.command(1, { 1: 1 })
  cellar.pass(MINUTE)
  expect(cellar.isOn(1)).toBe(false)
  expect(cellar.logged.join()).toContain('channel 1 stays off: its floor probe has not reported for 30 minutes')
  expect(cellar.taken<object>('relays').at(-1)).toMatchObject({ channels: [{ channel: 1, held: 'no_floor_probe' }] })
})

describe('the hot water lock', () => {
  const source = `
pump: { driver: tasmota, topic: manifold, output: 9 }
hot_water: { topic: boiler/data, path: dhw.active, on: true }
flow_temperature: { sensor: "${PROBE}", max_c: 45 }
flow_limiter: { topic: limiter }`

  test.each([
    [
      'the source makes hot water',
      (on: boolean, cellar: Simulation) => cellar.hear('boiler/data', { dhw: { active: on } }),
    ],
    ['the flow is too hot', (on: boolean, cellar: Simulation) => cellar.measure(on ? 68 : 40)],
    ['the limiter has tripped', (on: boolean, cellar: Simulation) => cellar.hear('limiter', on ? 'ON' : 'OFF')],
  ])('closes all loops and stops the pump while %s, and no open time is reported', (_, set) => {
    const cellar = started(house(2, {}, source))
    cellar.configure({ 1: 0, 2: 0 })
    cellar.command(1, { 1: 1, 2: 1 })
    cellar.pass(100)
    expect([cellar.isOn(1), cellar.isOn(2), cellar.isOn(9)]).toEqual([true, true, true])
    set(true, cellar)
    cellar.pass(1)
    expect([cellar.isOn(1), cellar.isOn(2), cellar.isOn(9)]).toEqual([false, false, false])
    cellar.pass(8 * MINUTE, () => set(true, cellar))
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ lost_s: 480 })
    set(false, cellar)
    cellar.pass(1)
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ lock: null })
    expect(cellar.isOn(1)).toBe(true)
    cellar.pass(6 * MINUTE)
    const [first] = cellar.windows().filter(({ channel, source: by }) => channel === 1 && by === 'command')
    expect(first?.open_s).toBeLessThan(250)
  })

  test('a source that says for six hours that it makes hot water is not believed until it has said otherwise', () => {
    const cellar = started(house(1, {}, source))
    const say = (active: boolean) => cellar.hear('boiler/data', { dhw: { active } })
    cellar.configure({ 1: 1 })
    cellar.pass((6 * 60 - 1) * MINUTE, () => say(true), 10)
    expect(cellar.isOn(1)).toBe(false)
    cellar.pass(2 * MINUTE, () => say(true))
    expect(cellar.isOn(1)).toBe(true)
    say(false)
    say(true)
    cellar.pass(1)
    expect(cellar.isOn(1)).toBe(false)
  })
})

test('a limiter whose device is no longer heard has not been reset', () => {
  const cellar = started(house(1, {}, 'flow_limiter: { topic: limiter }'))
  cellar.command(1, { 1: 1 })
  cellar.hear('limiter', 'ON')
  cellar.hear('limiter', 'unavailable')
  cellar.pass(1800, undefined, 5)
  expect(cellar.isOn(1)).toBe(false)
  cellar.hear('limiter', 'OFF')
  cellar.command(2, { 1: 1 })
  cellar.pass(1800, undefined, 5)
  expect(cellar.isOn(1)).toBe(true)
})

test('a limiter that has tripped is reported as a flow that is too hot, and is believed for as long as it says so', () => {
  const cellar = started(house(1, {}, 'flow_limiter: [{ topic: a }, { topic: b, path: open, on: false }]'))
  cellar.configure({ 1: 1 })
  cellar.pass(MINUTE)
  for (const [topic, said] of [
    ['a', 'ON'],
    ['b', { open: false }],
  ] as const) {
    cellar.pass(8 * HOUR, () => cellar.hear(topic, said), 30)
    expect(cellar.isOn(1)).toBe(false)
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ lock: 'flow_temperature' })
    expect(cellar.logged.join()).toContain('all loops are closed: the limiter of the flow has tripped')
    cellar.pass(3 * HOUR, () => {}, 30)
    expect(cellar.isOn(1)).toBe(true)
  }
})

describe('what the service learns of the relays', () => {
  test('which do not answer and which contradict, with their auto-off', () => {
    const cellar = started(house(3, {}))
    cellar.configure({ 1: 0, 2: 0, 3: 0 })
    cellar.pass(1)
    for (const relay of [2, 3]) cellar.deaf.add(relay)
    cellar.command(1, { 1: 1, 2: 1, 3: 0 })
    cellar.pass(2 * MINUTE, (atS) => {
      if (atS % 20 === 5) cellar.hear('stat/manifold/RESULT', { POWER3: 'ON' })
    })
    expect(cellar.taken<object>('relays').at(-1)).toEqual({
      channels: [
        { channel: 1, state: 'ok', auto_off: 'proven', faults: 0 },
        { channel: 2, state: 'silent', auto_off: 'proven', faults: 1 },
        { channel: 3, state: 'contradicts', auto_off: 'proven', stuck: 'open', faults: 1 },
      ],
    })
    expect(cellar.logged).toContain('channel 2: its relay does not answer; time is not counted as open')
  })
})

describe('pump and boiler', () => {
  const demand = 'demand: { driver: tasmota, topic: manifold, output: 9 }'
  const pump = 'pump: { driver: tasmota, topic: manifold, output: 9 }'
  const boiler = 'boiler: { driver: tasmota, topic: manifold, output: 10 }'

  test('one relay for both runs from when water can flow until the valve has closed', () => {
    const cellar = started(house(2, {}, demand))
    cellar.configure({ 1: 0, 2: 0 })
    cellar.command(1, { 1: 1, 2: 0 })
    cellar.pass(58)
    expect([cellar.isOn(1), cellar.isOn(9)]).toEqual([true, false])
    cellar.pass(5)
    expect(cellar.isOn(9)).toBe(true)
    cellar.pass(600)
    cellar.command(2, { 1: 0, 2: 0 })
    cellar.pass(235)
    expect([cellar.isOn(1), cellar.isOn(9)]).toEqual([false, true])
    cellar.pass(10)
    expect(cellar.isOn(9)).toBe(false)
  })

  test('lead_s starts the pump earlier and lag_s stops it later, never while water flows', () => {
    const times = (lead: number, lag: number) => {
      const cellar = started(
        house(1, {}, `pump: { driver: tasmota, topic: manifold, output: 9, lead_s: ${lead}, lag_s: ${lag} }`),
      )
      cellar.configure({ 1: 0 })
      cellar.command(1, { 1: 1 })
      let onS = 0
      let offS = 0
      cellar.pass(600, (atS) => {
        if (!cellar.isOn(9)) onS = atS
      })
      cellar.command(2, { 1: 0 })
      cellar.pass(900, (atS) => {
        if (cellar.isOn(9)) offS = atS
      })
      return [onS, offS]
    }
    const [lateOnS, earlyOffS] = times(180, 0)
    expect(lateOnS).toBeLessThanOrEqual(62)
    expect(earlyOffS).toBeGreaterThanOrEqual(238)
    const [earlyOnS, lateOffS] = times(20, 400)
    expect(earlyOnS).toBeLessThanOrEqual(22)
    expect(lateOffS).toBeGreaterThanOrEqual(398)
  })

  test('stay off while no valve relay reports open, and go off when the last one is not reachable any more', () => {
    const cellar = started(house(2, {}, `${pump}\n${boiler}`))
    cellar.configure({ 1: 0, 2: 0 })
    cellar.deaf.add(1)
    cellar.deaf.add(2)
    cellar.command(1, { 1: 1, 2: 1 })
    let ran = false
    cellar.pass(20 * MINUTE, () => {
      ran ||= cellar.isOn(9) || cellar.isOn(10)
    })
    expect(ran).toBe(false)
    cellar.deaf.clear()
    cellar.pass(10 * MINUTE)
    expect([cellar.isOn(9), cellar.isOn(10)]).toEqual([true, true])
    cellar.deaf.add(1)
    cellar.deaf.add(2)
    cellar.hear('tele/manifold/LWT', 'Offline')
    cellar.pass(1)
    expect(cellar.isOn(10)).toBe(false)
    cellar.pass(5 * MINUTE)
    expect(cellar.isOn(9)).toBe(false)
  })

  test('when the boiler needs more open loops than ask, the room that can take most warmth opens too', () => {
    const cellar = started(house(3, {}, `${boiler.replace('10 }', '10, min_open_loops: 2 }')}`))
    cellar.configure({ 1: 0, 2: 0, 3: 0 })
    const valves = [
      { channel: 1, power: 0.3, window_s: 900, headroom_k: 0.2 },
      { channel: 2, power: 0, window_s: 900, headroom_k: 0.4 },
      { channel: 3, power: 0, window_s: 900, headroom_k: 1.1 },
    ]
    cellar.command(1, {}, { valves })
    cellar.pass(5 * MINUTE)
    expect([1, 2, 3].map((relay) => cellar.isOn(relay))).toEqual([true, false, true])
    expect(cellar.isOn(10)).toBe(true)
  })

  test('an electric mat needs no pump', () => {
    const mat = house(1, { 1: `heat: electric, floor_probe: { sensor: "${PROBE}" }` }, demand)
    const cellar = started(mat)
    cellar.measure(20)
    cellar.command(1, { 1: 1 })
    cellar.pass(10 * MINUTE)
    expect([cellar.isOn(1), cellar.isOn(9)]).toEqual([true, false])
  })
})

describe('a summer', () => {
  test('each water loop is exercised weekly though all rooms are off, one at a time, no mat, and no pump runs', () => {
    const demand = 'demand: { driver: tasmota, topic: manifold, output: 9, lead_s: 0, lag_s: 0 }'
    const mat = { 3: `heat: electric, floor_probe: { sensor: "${PROBE}" }` }
    const cellar = started(house(3, mat, demand))
    cellar.configure({ 1: 0, 2: 0, 3: 0 })
    let together = 0
    let pumpRan = false
    cellar.pass(
      15 * DAY,
      () => {
        together = Math.max(together, [1, 2, 3].filter((relay) => cellar.isOn(relay)).length)
        pumpRan ||= cellar.isOn(9)
        cellar.devices.sent.splice(0, cellar.devices.sent.length - 50)
      },
      30,
    )
    expect(pumpRan).toBe(false)
    const exercises = cellar.windows().filter(({ source }) => source === 'exercise')
    expect(exercises.map(({ channel }) => channel).sort()).toEqual([1, 1, 2, 2])
    for (const { open_s } of exercises) expect(open_s).toBe(300)
    expect(together).toBe(1)
  })

  test('the days are counted over restarts', () => {
    const cellar = started(house(1))
    cellar.configure({ 1: 0 })
    for (let day = 0; day < 8; day += 1) {
      cellar.pass(DAY + MINUTE, () => {}, MINUTE)
      if (day < 6) {
        cellar.reboot()
        cellar.connect()
      }
    }
    expect(cellar.windows().filter(({ source }) => source === 'exercise')).toHaveLength(1)
  })
})

describe('what is reported as open', () => {
  test('is what the relay did, not what was commanded', () => {
    const cellar = started(house(1))
    cellar.configure({ 1: 0 })
    cellar.command(1, { 1: 1 })
    cellar.pass(5 * MINUTE)
    cellar.hear('stat/manifold/RESULT', { POWER1: 'OFF' })
    cellar.pass(5)
    cellar.deaf.add(1)
    cellar.hear('tele/manifold/LWT', 'Offline')
    cellar.pass(HOUR)
    const [first, second] = cellar.windows().filter(({ source }) => source === 'command')
    expect(first).toMatchObject({ window_s: 900, source: 'command', seq: 1 })
    expect(first?.open_s).toBeGreaterThan(290)
    expect(first?.open_s).toBeLessThan(310)
    expect(second?.open_s).toBe(0)
  })

  test('is nothing while the device broker is away', () => {
    const cellar = started(house(1))
    cellar.configure({ 1: 0 })
    cellar.devices.connected = false
    cellar.command(1, { 1: 1 })
    cellar.pass(30 * MINUTE)
    const reports = cellar.windows().filter(({ source }) => source === 'command')
    expect(reports.map(({ open_s }) => open_s)).toEqual(reports.map(() => 0))
    cellar.connect()
    cellar.pass(2)
    expect(cellar.isOn(1)).toBe(true)
  })

  test('reports made while the service was away come later, with their own time', () => {
    const cellar = started(house(1))
    cellar.configure({ 1: 0.5 })
    cellar.service.connected = false
    const beganMs = cellar.wallMs
    cellar.pass(2 * HOUR)
    cellar.connect()
    cellar.pass(1)
    const starts = cellar.windows().map(({ start }) => Date.parse(start) - beganMs)
    expect(starts.length).toBeGreaterThanOrEqual(8)
    expect(starts).toEqual([...starts].sort((a, b) => a - b))
    expect(starts.at(-1)).toBeGreaterThan(1.5 * HOUR * 1000)
    expect(starts.at(-1)).toBeLessThan(2 * HOUR * 1000)
  })
})

describe('a person at the manifold', () => {
  test('a channel held for a test is left alone for that long', () => {
    const cellar = started(house(2))
    cellar.configure({ 1: 0, 2: 0 })
    cellar.pass(30)
    cellar.devices.sent.length = 0
    cellar.hear('hypocaust-019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e/hold', { channel: 1, seconds: 75 })
    cellar.hear('stat/manifold/RESULT', { POWER1: 'ON' })
    cellar.pass(74)
    expect(cellar.devices.sent).toEqual([])
    cellar.pass(2)
    expect(cellar.devices.sent.map(({ topic, payload }) => `${topic} ${payload}`)).toEqual(['cmnd/manifold/POWER1 OFF'])
  })
})
