import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseGatewayFile } from '../src/index.ts'

const MINUTE = 60
const HOUR = 3600
const COVERS = `
covers:
  - name: living-south
    topic: zigbee2mqtt/blind/set
    payload: '{"position": {position}}'
    state: { topic: zigbee2mqtt/blind, path: position }
  - name: study
    topic: shutter/command
    state: { topic: shutter/position }`

let cellar: Simulation
let seq = 1
beforeEach(() => {
  seq = 1
  cellar = new Simulation(house(1, {}, COVERS))
  cellar.connect()
  cellar.configure({ 1: 1 })
  cellar.pass(10)
})
afterEach(() => cellar.end())

const order = (...covers: object[]) => {
  seq += 1
  const issued = new Date(cellar.wallMs).toISOString()
  cellar.order('source', { epoch: 1, seq, issued, valid_s: 2700, covers })
  cellar.pass(1)
}
const south = (forS: number, more = {}) => ({
  ...{ name: 'living-south', position: 10, for_s: forS, day_s: 10 * HOUR },
  ...more,
})
const says = (position: number) => cellar.hear('zigbee2mqtt/blind', { position, battery: 80 })
const moves = () =>
  cellar.devices.sent
    .filter(({ topic }) => topic === 'zigbee2mqtt/blind/set')
    .map(({ payload }) => JSON.parse(payload).position)
const reported = () =>
  cellar
    .taken<{ covers?: { name: string; held: string }[] }>('source')
    .at(-1)
    ?.covers?.find(({ name }) => name === 'living-south')?.held
/** Ordered again every quarter of an hour, as the service does. */
const live = (seconds: number, leftS: number) => {
  for (let atS = 0; atS < seconds; atS += 900) {
    order(south(leftS - atS))
    cellar.pass(900, undefined, 10)
  }
}

describe('a cover', () => {
  test('is moved once when it is ordered, and back to where it was when the order ends', () => {
    says(80)
    live(HOUR, 4 * HOUR)
    says(10)
    live(HOUR, 3 * HOUR)
    expect([moves(), reported()]).toEqual([[10], 'moved'])
    order()
    cellar.pass(MINUTE)
    expect([moves(), reported()]).toEqual([[10, 80], 'no'])
  })

  test('of which nothing is known is not moved until it says where it is: a person may have closed it', () => {
    order(south(HOUR))
    order()
    expect(moves()).toEqual([])
    says(90)
    order(south(HOUR))
    order()
    expect(moves()).toEqual([10, 90])
  })

  test('is moved back in time though the service is silent, also after a restart and a power cut', () => {
    says(70)
    order(south(2 * HOUR))
    says(10)
    cellar.pass(HOUR, undefined, 10)
    cellar.restart()
    cellar.connect()
    cellar.pass(HOUR - 2 * MINUTE, undefined, 10)
    expect(moves()).toEqual([])
    cellar.reboot()
    cellar.connect()
    cellar.pass(3 * MINUTE)
    expect(moves()).toEqual([70])
  })

  test('is moved back as soon as the broker is there again, where the order ended without it', () => {
    says(70)
    order(south(HOUR))
    says(10)
    cellar.devices.connected = false
    cellar.pass(2 * HOUR, undefined, 10)
    expect(moves()).toEqual([10])
    cellar.connect()
    cellar.pass(MINUTE)
    expect([moves(), reported()]).toEqual([[10, 70], 'no'])
  })

  test('is not taken for one that was moved while no broker has the order', () => {
    says(70)
    cellar.devices.connected = false
    order(south(HOUR))
    expect(reported()).toBe('no')
    cellar.connect()
    order(south(HOUR))
    expect([moves(), reported()]).toEqual([[10], 'moved'])
  })

  test.each(['', 'unknown', 'true', '[]'])('that reports %o has not said where it is', (position) => {
    cellar.hear('shutter/position', position)
    order({ ...south(HOUR), name: 'study' })
    cellar.hear('shutter/position', '80')
    order({ ...south(HOUR), name: 'study' })
    cellar.hear('shutter/position', '10')
    cellar.hear('shutter/position', position)
    cellar.pass(10 * MINUTE)
    order()
    const sent = cellar.devices.sent.filter(({ topic }) => topic === 'shutter/command')
    expect(sent.map(({ payload }) => payload)).toEqual(['10', '80'])
  })

  test('that a person moves afterwards is left alone until the end of the day, and not moved back', () => {
    says(100)
    order(south(6 * HOUR))
    cellar.pass(10 * MINUTE)
    says(10)
    cellar.pass(MINUTE)
    says(60)
    cellar.pass(MINUTE)
    expect(reported()).toBe('left')
    live(2 * HOUR, 5 * HOUR)
    order()
    order(south(HOUR))
    cellar.pass(HOUR, undefined, 10)
    expect(moves()).toEqual([10])
    cellar.pass(7 * HOUR, undefined, 30)
    order(south(HOUR))
    expect(moves()).toEqual([10, 10])
  })

  test('that a person has already closed is not opened by us', () => {
    says(5)
    live(HOUR, 2 * HOUR)
    expect(reported()).toBe('left')
    order()
    cellar.pass(MINUTE)
    expect(moves()).toEqual([])
  })

  test('on its way is not taken for one that a person has moved', () => {
    says(100)
    order(south(2 * HOUR))
    for (const position of [80, 55, 30]) {
      cellar.pass(30)
      says(position)
    }
    cellar.pass(MINUTE)
    says(12)
    cellar.pass(HOUR, undefined, 10)
    expect(reported()).toBe('moved')
  })

  test('that does not obey is left alone', () => {
    says(100)
    order(south(2 * HOUR))
    cellar.pass(2 * MINUTE)
    says(100)
    cellar.pass(10 * MINUTE)
    order()
    expect([moves(), reported()]).toEqual([[10], 'left'])
  })

  test('is not moved by an order of before, nor by a command that says nothing of covers', () => {
    says(100)
    order(south(2 * HOUR))
    cellar.order('source', {
      epoch: 1,
      seq: 1,
      issued: new Date(cellar.wallMs).toISOString(),
      valid_s: 2700,
      covers: [],
    })
    cellar.order('source', { epoch: 1, seq: 9, issued: new Date(cellar.wallMs).toISOString(), valid_s: 2700 })
    cellar.pass(MINUTE)
    expect(moves()).toEqual([10])
  })

  test('of another name is not moved, and one without a template gets the bare position', () => {
    cellar.hear('shutter/position', '100')
    order({ ...south(HOUR), name: 'study' }, { ...south(HOUR), name: 'attic' })
    expect(moves()).toEqual([])
    expect(cellar.devices.sent.filter(({ topic }) => topic === 'shutter/command')).toMatchObject([{ payload: '10' }])
  })
})

test('a gateway without covers reports none', () => {
  const plain = new Simulation(house(1, {}, 'hot_water: { busy: { topic: pump/state, path: dhw, on: true } }'))
  plain.connect()
  plain.pass(10)
  const reports = plain.taken<object>('source')
  expect(reports.length).toBeGreaterThan(0)
  for (const report of reports) expect(report).not.toHaveProperty('covers')
  plain.end()
})

test.each([
  ['covers.0.name', 'name: living-south', 'name: Living south'],
  ['covers.1.name', 'name: study', 'name: living-south'],
  ['covers.1.topic', 'topic: shutter/command', 'topic: zigbee2mqtt/blind/set'],
  ['covers.0.payload', '{"position": {position}}', 'down'],
  ['covers.1', '\n    state: { topic: shutter/position }', ''],
])('a fault in %s is named', (field, from, to) => {
  const yaml = house(1, {}, COVERS.replace(from, to))
  expect(() => parseGatewayFile(yaml, 'gateway.yaml')).toThrow(field)
})
