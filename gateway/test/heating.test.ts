import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const PROBE = '02:00:00:00:00:05'

let running: Simulation | undefined

function started(yaml: string): Simulation {
  running = new Simulation(yaml)
  running.connect()
  return running
}

afterEach(() => {
  running?.end()
  running = undefined
})

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
    mat.end()

    const loop = started(hydronic)
    loop.command(1, { 1: 1 })
    loop.pass(40 * MINUTE)
    expect(loop.isOn(1)).toBe(true)
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
      cellar.end()
      running = undefined
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
      10,
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
      cellar.pass(DAY + 30, () => {}, 30)
      if (day < 6) {
        cellar.reboot()
        cellar.connect()
      }
    }
    expect(cellar.windows().filter(({ source }) => source === 'exercise')).toHaveLength(1)
  })
})

describe('what is reported as open', () => {
  test('is what the relay did, not what it was told', () => {
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

describe('somebody at the manifold', () => {
  test('a channel held for a test is left alone for that long', () => {
    const cellar = started(house(2))
    cellar.pass(5)
    cellar.devices.sent.length = 0
    cellar.hear('hypocaust-019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e/hold', { channel: 1, seconds: 75 })
    cellar.hear('stat/manifold/RESULT', { POWER1: 'ON' })
    cellar.pass(74)
    expect(cellar.devices.sent).toEqual([])
    cellar.pass(2)
    expect(cellar.devices.sent.map(({ topic, payload }) => `${topic} ${payload}`)).toEqual(['cmnd/manifold/POWER1 OFF'])
  })
})
