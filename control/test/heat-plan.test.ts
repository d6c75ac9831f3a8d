import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HeatProblem, planHeat } from '../src/index.ts'
import { costOf, simulate } from '../src/plan/heat-problem.ts'

/** One leaking store of heat: small enough to try every plan on a grid. */
function store({
  levels,
  startC,
  ceiling,
  slope,
  keep,
}: {
  levels: number[]
  startC: number
  ceiling: number
  slope: number
  keep: number
}): HeatProblem {
  const steps = levels.length
  return {
    states: 1,
    start: Float64Array.of(startC),
    transition: new Array(steps).fill(Float64Array.of(keep)),
    gain: new Array(steps).fill(Float64Array.of(1)),
    drift: new Array(steps).fill(Float64Array.of(0)),
    price: new Float64Array(steps).fill(1),
    ceiling: new Float64Array(steps).fill(ceiling),
    slope: new Float64Array(steps).fill(slope),
    rows: [Float64Array.of(1)],
    limits: [
      { row: 0, sign: 1 },
      { row: 0, sign: -1 },
    ],
    level: Float64Array.from(levels.flatMap((level) => [level, -(level + 3)])),
    weight: new Float64Array(2 * steps).fill(8),
    final: Float64Array.of(0),
  }
}

function cheapestOnGrid(problem: HeatProblem, pieces: number): number {
  const steps = problem.ceiling.length
  let best = Number.POSITIVE_INFINITY
  const heat = new Float64Array(steps)
  const path = new Float64Array(steps)
  for (let code = 0; code < (pieces + 1) ** steps; code++) {
    let feasible = true
    let rest = code
    for (let k = 0; k < steps; k++) {
      heat[k] = ((problem.ceiling[k] ?? 0) * (rest % (pieces + 1))) / pieces
      rest = Math.floor(rest / (pieces + 1))
    }
    simulate(problem, heat, path)
    for (let k = 0; k < steps; k++) {
      const before = k === 0 ? (problem.start[0] ?? 0) : (path[k - 1] ?? 0)
      feasible &&= (heat[k] ?? 0) <= (problem.ceiling[k] ?? 0) - (problem.slope[k] ?? 0) * before + 1e-9
    }
    if (feasible) best = Math.min(best, costOf(problem, heat, path))
  }
  return best
}

test('no plan on a grid is cheaper than the plan, and the plan keeps every bound', () => {
  const level = fc.integer({ min: 0, max: 12 })
  fc.assert(
    fc.property(
      fc.array(level, { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(0, 0.2),
      fc.constantFrom(0.6, 0.9),
      (levels, startC, slope, keep) => {
        const problem = store({ levels, startC, ceiling: 10, slope, keep })
        const plan = planHeat(problem, 1e-6)
        expect(plan.gap).toBeLessThan(1e-6)
        expect(plan.cost).toBeLessThanOrEqual(cheapestOnGrid(problem, 20) + 1e-4)
        for (const [k, heat] of plan.heat.entries()) {
          const before = k === 0 ? startC : (plan.path[k - 1] ?? 0)
          expect(heat).toBeGreaterThanOrEqual(0)
          expect(heat).toBeLessThanOrEqual(10 - slope * before + 1e-6)
        }
      },
    ),
    { numRuns: runs(25) },
  )
})

test('a store that is heated for the cold morning is heated as late as it can be', () => {
  const plan = planHeat(store({ levels: [0, 0, 0, 0, 9], startC: 5, ceiling: 10, slope: 0, keep: 0.8 }), 1e-7)
  expect([...plan.heat.slice(0, 4)].every((heat) => heat < 0.01)).toBe(true)
  expect(plan.path.at(-1)).toBeCloseTo(9, 3)
})
