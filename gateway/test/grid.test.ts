import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const YAML = `
sg_ready:
  contact_1: { topic: inputs/1 }
  contact_2: { topic: inputs/2, path: state.closed, on: true }
surplus: { topic: meter, path: export_w }`

let running: Simulation | undefined
afterEach(() => {
  running?.end()
  running = undefined
})

function cellar(): Simulation {
  running = new Simulation(house(1, {}, YAML))
  running.connect()
  return running
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
