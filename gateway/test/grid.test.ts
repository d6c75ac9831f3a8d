import { house, type Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import { expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const YAML = `
sg_ready:
  contact_1: { topic: inputs/1 }
  contact_2: { topic: inputs/2, path: state.closed, on: true }
surplus: { topic: meter, path: export_w }
surplus_forecast: { topic: solar, path: rates }
prices: { topic: prices }`

function cellar(): Simulation {
  const cellar = simulatedAgent(house(1, {}, YAML))
  cellar.connect()
  return cellar
}
const reported = (simulation: Simulation) => simulation.taken<object>('source').at(-1)
const set = (simulation: Simulation, first: boolean, second: boolean) => {
  simulation.hear('inputs/1', first ? 'ON' : 'OFF')
  simulation.hear('inputs/2', { state: { closed: second } })
}

test.each([
  [true, false, 'locked'],
  [false, false, 'normal'],
  [false, true, 'recommended'],
  [true, true, 'forced'],
])('contacts %s and %s of SG-Ready are reported as %s', (first, second, state) => {
  const simulation = cellar()
  set(simulation, first, second)
  simulation.pass(2)
  expect(reported(simulation)).toMatchObject({ sg_ready: state })
})

test('a lock that is not repeated for three hours is no longer believed, and one contact alone says nothing', () => {
  const simulation = cellar()
  simulation.hear('inputs/1', 'ON')
  simulation.pass(2)
  expect(reported(simulation)).toMatchObject({ sg_ready: null })
  set(simulation, true, false)
  simulation.pass(2)
  expect(reported(simulation)).toMatchObject({ sg_ready: 'locked' })
  simulation.pass(3 * HOUR + MINUTE, () => {}, 30)
  expect(reported(simulation)).toMatchObject({ sg_ready: null })
})

test('the surplus is reported in steps, at most every five minutes, and forgotten when its meter falls silent', () => {
  const simulation = cellar()
  simulation.hear('meter', { export_w: 1890 })
  simulation.pass(2)
  simulation.hear('meter', { export_w: 1890 })
  simulation.pass(6 * MINUTE)
  expect(reported(simulation)).toMatchObject({ surplus_w: 1750 })
  simulation.pass(4 * MINUTE, () => simulation.hear('meter', { export_w: -400 }))
  simulation.pass(6 * MINUTE)
  expect(reported(simulation)).toMatchObject({ surplus_w: 0 })
  simulation.pass(30 * MINUTE, () => {}, 10)
  expect(reported(simulation)).toMatchObject({ surplus_w: null })
})

const iso = (ms: number) => new Date(ms).toISOString()

test('prices ahead are reported from the present hour on, and a message that is none changes nothing', () => {
  const simulation = cellar()
  const hour = Math.floor(simulation.wallMs / 3_600_000) * 3_600_000
  simulation.hear('prices', { start: iso(hour - 3_600_000), step_minutes: 60, values: [0.1, 0.2, 0.3000001] })
  simulation.pass(2)
  const prices = { start: iso(hour), step_s: 3600, values: [0.2, 0.3] }
  expect(reported(simulation)).toMatchObject({ prices })
  for (const wrong of [
    'no JSON',
    { start: '2026-01-10T00:00:00', step_minutes: 60, values: [1] },
    [{ start: iso(hour) }],
  ])
    simulation.hear('prices', wrong)
  simulation.pass(2)
  expect(reported(simulation)).toBeUndefined()
  simulation.pass(3 * HOUR, () => {}, 30)
  expect(reported(simulation)).toMatchObject({ prices: null })
})

test('a forecast of own sun may be a list of starts and values, in any order', () => {
  const simulation = cellar()
  const hour = Math.floor(simulation.wallMs / 3_600_000) * 3_600_000
  const rates = [
    { start: iso(hour + 3_600_000), value: 1890 },
    { start: iso(hour), value: 120 },
  ]
  simulation.hear('solar', { rates })
  simulation.pass(2)
  expect(reported(simulation)).toMatchObject({
    surplus_forecast: { start: iso(hour), step_s: 3600, values: [0, 1750] },
  })
})

const limiting = (yaml: string): Simulation => {
  const cellar = simulatedAgent(house(1, {}, yaml))
  cellar.connect()
  return cellar
}
const limitOf = (simulation: Simulation) => simulation.taken<{ power_limit: unknown }>('source').at(-1)?.power_limit

test('a contact that limits the heat source stands for its watts, 4200 unless others are given, for three hours', () => {
  const simulation = limiting('power_limit: { topic: inputs/3, path: state, on: true }')
  simulation.hear('inputs/3', { state: true })
  simulation.pass(2)
  expect(limitOf(simulation)).toEqual({ limit_w: 4200, basis: 'enwg_14a' })
  simulation.hear('inputs/3', { state: false })
  simulation.pass(2)
  expect(limitOf(simulation)).toBeNull()
  simulation.hear('inputs/3', { state: true })
  simulation.pass(3 * HOUR + MINUTE, () => {}, 30)
  expect(limitOf(simulation)).toBeNull()
})

test('a topic limits the heat source to its watts, with times where it has them, until their end', () => {
  const simulation = limiting('power_limit: { topic: grid, basis: agreed }')
  const [from, until] = [simulation.wallMs + 3_600_000, simulation.wallMs + 7_200_000].map(iso)
  simulation.hear('grid', { limit_w: 1500, from, until })
  simulation.pass(2)
  expect(limitOf(simulation)).toEqual({ limit_w: 1500, basis: 'agreed', from, until })
  for (const wrong of ['much', '-5', { limit_w: 'none' }, { limit_w: 1500, until: '2026-01-10T08:00:00' }, '[1]'])
    simulation.hear('grid', wrong)
  simulation.pass(MINUTE)
  expect(simulation.taken('source')).toEqual([])
  simulation.pass(2 * HOUR, () => {}, 30)
  expect(limitOf(simulation)).toBeNull()
  simulation.hear('grid', { limit_w: 0, until: iso(simulation.wallMs + 365 * 86_400_000) })
  simulation.pass(2)
  expect(limitOf(simulation)).toMatchObject({ limit_w: 0 })
  simulation.pass(49 * HOUR, () => {}, 600)
  expect(limitOf(simulation)).toBeNull()
  simulation.hear('grid', '3000')
  simulation.pass(2)
  expect(limitOf(simulation)).toEqual({ limit_w: 3000, basis: 'agreed' })
  simulation.hear('grid', 'null')
  simulation.pass(2)
  expect(limitOf(simulation)).toBeNull()
})
