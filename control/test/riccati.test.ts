import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HeatProblem } from '../src/plan/heat-problem.ts'
import { backward, forward, newPolicy, type Policy, type Quadratic } from '../src/plan/riccati.ts'
import { backwardOfThree, forwardOfThree } from '../src/plan/riccati-three.ts'

const STEPS = 6
const N = 3

const floats = (length: number, min: number, max: number) =>
  fc
    .array(fc.double({ min, max, noNaN: true }), { minLength: length, maxLength: length })
    .map((each) => Float64Array.from(each))
const eachStep = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: STEPS, maxLength: STEPS })

const problems: fc.Arbitrary<HeatProblem> = fc.record({
  states: fc.constant(N),
  start: floats(N, 15, 25),
  transition: eachStep(floats(N * N, 0, 0.4)),
  gain: eachStep(floats(N, 0, 1)),
  drift: eachStep(floats(N, -1, 1)),
  price: floats(STEPS, 0, 1),
  ceiling: floats(STEPS, 1, 9),
  slope: floats(STEPS, 0, 0.3),
  rows: fc.array(floats(N, 0, 1), { minLength: 2, maxLength: 2 }),
  limits: fc.constant([]),
  level: fc.constant(new Float64Array()),
  weight: fc.constant(new Float64Array()),
  final: floats(N, -1, 1),
})

const quadratics: fc.Arbitrary<Quadratic> = fc.record({
  open: eachStep(fc.constantFrom(0, 1, 1)).map((each) => Uint8Array.from(each)),
  rowCurve: floats(2 * STEPS, 0, 5),
  rowPull: floats(2 * STEPS, -5, 5),
  lowCurve: floats(STEPS, 0.1, 5),
  lowPull: floats(STEPS, -5, 5),
  highCurve: floats(STEPS, 0.1, 5),
  highPull: floats(STEPS, 0, 5),
})

test('written out for three states, the recursion leads to the steps that the loops for any number lead to', () => {
  fc.assert(
    fc.property(problems, quadratics, (problem, quadratic) => {
      const loops = stepsBy({ backward, forward }, problem, quadratic)
      const written = stepsBy({ backward: backwardOfThree, forward: forwardOfThree }, problem, quadratic)
      for (const [i, step] of loops.entries()) expect(written[i]).toBeCloseTo(step, 9)
    }),
    { numRuns: runs(100) },
  )
})

type Recursion = { backward: typeof backward; forward: typeof forward }

function stepsBy(recursion: Recursion, problem: HeatProblem, quadratic: Quadratic): number[] {
  const policy: Policy = newPolicy(problem)
  const heatStep = new Float64Array(STEPS)
  const pathStep = new Float64Array((STEPS + 1) * N)
  const rowStep = new Float64Array(STEPS * problem.rows.length)
  recursion.backward(problem, quadratic, policy)
  recursion.forward(problem, policy, { heatStep, pathStep, rowStep })
  return [...heatStep, ...pathStep, ...rowStep]
}
