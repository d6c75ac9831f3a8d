import { type HeatProblem, planHeat } from '@hypocaust/control'
import { DAY_S, HOUR_S } from '@hypocaust/domain/facts'
import { settledState } from '@hypocaust/simulator'
import { expect, test } from 'vitest'
import { PLAN_STEP_S, perfectProblem } from '../src/comfort/perfect.ts'
import { marketOf } from '../src/comfort/prices.ts'
import { type Course, withRecourse } from '../src/comfort/recourse.ts'
import { createWorld } from '../src/comfort/world.ts'

const world = createWorld({ floorType: 'timber', scenario: 'dynamic-price', seed: 3 })
const { costAt } = marketOf(world)
const day = { name: 'day', fromS: 7 * DAY_S, toS: 8 * DAY_S }
const costs = { costAt, storedCost: 0.2, perKh: 0.008, onHeat: () => {} }
const problem = perfectProblem(world, settledState(20), day, costs)
const steps = problem.transition.length
const COMMON = (3 * HOUR_S) / PLAN_STEP_S
const EXACT = 1e-6

const laterBy = (warmerK: number) => Array.from({ length: steps }, (_, k) => (k < COMMON ? 0 : warmerK))

/** The same heat on all courses: each limit once for every course. */
function heldOnAll(courses: Course[]): HeatProblem {
  const level: number[] = []
  const weight: number[] = []
  for (let k = 0; k < steps; k++)
    for (const course of courses)
      for (const [i, { sign }] of problem.limits.entries()) {
        const at = k * problem.limits.length + i
        level.push((problem.level[at] as number) - sign * (course[k] as number))
        weight.push((problem.weight[at] as number) / courses.length)
      }
  return {
    ...problem,
    limits: courses.flatMap(() => problem.limits),
    level: Float64Array.from(level),
    weight: Float64Array.from(weight),
  }
}

test('courses that are all as expected change nothing', () => {
  const plain = planHeat(problem, EXACT)
  const same = planHeat(withRecourse(problem, [laterBy(0), laterBy(0)], COMMON), EXACT)
  expect(same.gap).toBeLessThan(EXACT)
  expect(same.cost).toBeCloseTo(plain.cost, 4)
})

test('heat that follows the course of the weather costs less than one heat for all, and more than knowing it', () => {
  const courses = [laterBy(1), laterBy(-1)]
  const following = planHeat(withRecourse(problem, courses, COMMON), EXACT).cost
  const common = planHeat(heldOnAll(courses), EXACT).cost
  const known = courses.map((course) => planHeat(withRecourse(problem, [course], COMMON), EXACT).cost)
  expect(following).toBeLessThan(common - 0.001)
  expect(following).toBeGreaterThan(known.reduce((sum, cost) => sum + cost, 0) / known.length)
})
