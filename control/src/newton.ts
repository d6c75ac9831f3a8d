import { type HeatProblem, type Limit, look, stepsOf } from './heat-problem.ts'
import { backward, forward, type Policy, type Quadratic } from './riccati.ts'
import { backwardOfThree, forwardOfThree } from './riccati-three.ts'

/** A constraint's slacks and multipliers, and how they would move. */
export type Pair = { slack: Float64Array; dual: Float64Array; slackStep: Float64Array; dualStep: Float64Array }

export type Iterate = {
  heat: Float64Array
  path: Float64Array
  heatStep: Float64Array
  pathStep: Float64Array
  /** Of each row, step by step. */
  rowStep: Float64Array
  low: Pair
  high: Pair
  /** Of every soft limit: what it is kept by, and the excess that is paid for. All steps of the first limit, then those of
   * the next. Both multipliers together are the limit's weight, so they move against each other. */
  over: Pair
  excess: Pair
  /** Of every soft limit: how stiff it is with its excess eliminated, inverted. */
  inverse: Float64Array
  quadratic: Quadratic
  policy: Policy
}

export const newPair = (length: number): Pair => ({
  slack: new Float64Array(length),
  dual: new Float64Array(length),
  slackStep: new Float64Array(length),
  dualStep: new Float64Array(length),
})

/** How far slacks and multipliers may go along a step and stay positive; 1 is all of it. */
export type Lengths = { primal: number; dual: number }

/** One Newton step towards slack·dual = barrier everywhere: backwards through time for the law, forwards for the step. */
export function newtonStep(problem: HeatProblem, iterate: Iterate, barrier: number): Lengths {
  const { quadratic, policy, heatStep, pathStep } = iterate
  eliminateHeat(problem, iterate, barrier)
  eliminateLimits(problem, iterate, barrier)
  if (problem.states === 3) {
    backwardOfThree(problem, quadratic, policy)
    forwardOfThree(problem, policy, heatStep, pathStep)
  } else {
    backward(problem, quadratic, policy)
    forward(problem, policy, heatStep, pathStep)
  }
  const lengths = { primal: 1, dual: 1 }
  finishHeat(problem, iterate, barrier, lengths)
  lookAhead(problem, iterate)
  finishLimits(problem, iterate, barrier, lengths)
  return lengths
}

function eliminateHeat(problem: HeatProblem, { low, high, quadratic }: Iterate, barrier: number) {
  const { lowCurve, lowPull, highCurve, highPull } = quadratic
  for (let k = 0; k < lowCurve.length; k++) {
    const lowInverse = 1 / (low.slack[k] as number)
    const highInverse = 1 / (high.slack[k] as number)
    lowCurve[k] = (low.dual[k] as number) * lowInverse
    lowPull[k] = (problem.price[k] as number) - barrier * lowInverse
    highCurve[k] = (high.dual[k] as number) * highInverse
    highPull[k] = barrier * highInverse
  }
}

/** Adds each soft limit to its row as a curvature and a pull. */
function eliminateLimits(problem: HeatProblem, { over, excess, inverse, quadratic }: Iterate, barrier: number) {
  const { rowCurve, rowPull } = quadratic
  const steps = stepsOf(problem)
  rowCurve.fill(0)
  rowPull.fill(0)
  for (let i = 0; i < problem.limits.length; i++) {
    const { row, sign } = problem.limits[i] as Limit
    for (let k = 0, at = i * steps, to = row * steps; k < steps; k++, at++, to++) {
      const dual = over.dual[at] as number
      if (dual === 0) continue
      const excessDual = excess.dual[at] as number
      const free = dual * (excess.slack[at] as number)
      const each = 1 / (free + excessDual * (over.slack[at] as number))
      inverse[at] = each
      rowCurve[to] = (rowCurve[to] as number) + dual * excessDual * each
      rowPull[to] = (rowPull[to] as number) + sign * each * (barrier * (dual - excessDual) - free * (dual + excessDual))
    }
  }
}

function finishHeat(
  problem: HeatProblem,
  { quadratic, low, high, heatStep, pathStep }: Iterate,
  barrier: number,
  lengths: Lengths,
) {
  for (let k = 0; k < heatStep.length; k++) {
    if (!quadratic.open[k]) continue
    const step = heatStep[k] as number
    move(low, k, step, barrier, lengths)
    move(high, k, -step - (problem.slope[k] as number) * (pathStep[k * problem.states] as number), barrier, lengths)
  }
}

function move(pair: Pair, at: number, slackStep: number, barrier: number, lengths: Lengths) {
  const slack = pair.slack[at] as number
  const dual = pair.dual[at] as number
  const dualStep = (barrier - dual * slackStep) / slack - dual
  pair.slackStep[at] = slackStep
  pair.dualStep[at] = dualStep
  lengths.primal = shortened(lengths.primal, slack, slackStep)
  lengths.dual = shortened(lengths.dual, dual, dualStep)
}

function lookAhead({ rows, states }: HeatProblem, { pathStep, rowStep }: Iterate) {
  for (const [r, row] of rows.entries()) {
    const steps = rowStep.length / rows.length
    for (let k = 0; k < steps; k++) rowStep[r * steps + k] = look(row, pathStep, (k + 1) * states)
  }
}

function finishLimits(problem: HeatProblem, iterate: Iterate, barrier: number, lengths: Lengths) {
  const { over, excess, inverse, rowStep } = iterate
  const steps = stepsOf(problem)
  let { primal, dual: dualLength } = lengths
  for (let i = 0; i < problem.limits.length; i++) {
    const { row, sign } = problem.limits[i] as Limit
    for (let k = 0, at = i * steps, from = row * steps; k < steps; k++, at++, from++) {
      const dual = over.dual[at] as number
      if (dual === 0) continue
      const slack = over.slack[at] as number
      const excessSlack = excess.slack[at] as number
      const excessDual = excess.dual[at] as number
      const each = inverse[at] as number
      const lookStep = sign * (rowStep[from] as number)
      const excessStep =
        each * (barrier * (slack + excessSlack) - excessSlack * (slack * (dual + excessDual) + dual * lookStep))
      const slackStep = lookStep + excessStep
      const dualStep = each * (barrier * (excessDual - dual) - dual * excessDual * (slack - excessSlack + lookStep))
      over.slackStep[at] = slackStep
      over.dualStep[at] = dualStep
      excess.slackStep[at] = excessStep
      excess.dualStep[at] = -dualStep
      primal = shortened(primal, slack, slackStep)
      primal = shortened(primal, excessSlack, excessStep)
      dualLength = shortened(dualLength, dual, dualStep)
      dualLength = shortened(dualLength, excessDual, -dualStep)
    }
  }
  lengths.primal = primal
  lengths.dual = dualLength
}

const BACK_OFF = 0.985

/** The length of a step at which a positive value keeps a little of itself. */
const shortened = (length: number, value: number, step: number) =>
  length * step < -BACK_OFF * value ? (-BACK_OFF * value) / step : length
