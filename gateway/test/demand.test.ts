import { expect, test } from 'vitest'
import { type Demand, NO_DEMAND, stepDemand } from '../src/demand.ts'

/** Seconds at which the output switches, when loops are open in the given spans. */
function switches(open: [number, number][], leadS: number, lagS: number, untilS: number): [number, boolean][] {
  const found: [number, boolean][] = []
  let demand: Demand = NO_DEMAND
  for (let s = 0; s < untilS; s += 1) {
    const anyOpen = open.some(([from, to]) => s >= from && s < to)
    const next = stepDemand(demand, anyOpen, { leadMs: leadS * 1000, lagMs: lagS * 1000 }, s * 1000)
    if (next.on !== demand.on) found.push([s, next.on])
    demand = next
  }
  return found
}

test('the pump starts when the first valve has had time to open, and runs on until the last has closed', () => {
  expect(switches([[100, 1000]], 180, 120, 2000)).toEqual([
    [280, true],
    [1119, false],
  ])
})

test('it runs through while one loop takes over from another', () => {
  expect(
    switches(
      [
        [0, 600],
        [660, 1200],
      ],
      180,
      120,
      2000,
    ),
  ).toEqual([
    [180, true],
    [1319, false],
  ])
})

test('an opening shorter than the lead moves nothing', () => {
  expect(switches([[100, 200]], 180, 120, 1000)).toEqual([])
})

test('without lead and lag it follows at once', () => {
  expect(switches([[100, 200]], 0, 0, 1000)).toEqual([
    [100, true],
    [200, false],
  ])
})
