import { type HeatProblem, type Limit, stepsOf } from './heat-problem.ts'
import { backward, forward, type Policy, type Quadratic, type Steps } from './riccati.ts'
import { backwardOfThree, forwardOfThree } from './riccati-three.ts'

/** A constraint's slacks and multipliers, and how they would move. */
export type Pair = { slack: Float64Array; dual: Float64Array; slackStep: Float64Array; dualStep: Float64Array }

/**
 * What each soft limit is kept by, and the excess that is paid for, with their multipliers, and how they would move. All
 * steps of the first limit, then those of the next. Both multipliers together are the limit's weight, so they move
 * against each other, by the same step.
 */
export type SoftLimits = {
  slacks: Float64Array
  duals: Float64Array
  excesses: Float64Array
  excessDuals: Float64Array
  slackSteps: Float64Array
  dualSteps: Float64Array
  excessSteps: Float64Array
  /** How stiff it is with its excess eliminated, inverted. */
  inverses: Float64Array
}

export type Iterate = Steps & {
  heat: Float64Array
  path: Float64Array
  low: Pair
  high: Pair
  soft: SoftLimits
  quadratic: Quadratic
  policy: Policy
}

export const newPair = (length: number): Pair => ({
  slack: new Float64Array(length),
  dual: new Float64Array(length),
  slackStep: new Float64Array(length),
  dualStep: new Float64Array(length),
})

export const newSoftLimits = (length: number): SoftLimits => ({
  slacks: new Float64Array(length),
  duals: new Float64Array(length),
  excesses: new Float64Array(length),
  excessDuals: new Float64Array(length),
  slackSteps: new Float64Array(length),
  dualSteps: new Float64Array(length),
  excessSteps: new Float64Array(length),
  inverses: new Float64Array(length),
})

/** How far slacks and multipliers may go along a step and stay positive; 1 is all of it. */
export type Lengths = { primal: number; dual: number }

/** One Newton step towards slack·dual = barrier everywhere: backwards through time for the law, forwards for the step. */
export function newtonStep(problem: HeatProblem, iterate: Iterate, barrier: number): Lengths {
  const { quadratic, policy } = iterate
  eliminateHeat(problem, iterate, barrier)
  eliminateLimits(problem, iterate, barrier)
  if (problem.states === 3) {
    backwardOfThree(problem, quadratic, policy)
    forwardOfThree(problem, policy, iterate)
  } else {
    backward(problem, quadratic, policy)
    forward(problem, policy, iterate)
  }
  const lengths = { primal: 1, dual: 1 }
  finishHeat(problem, iterate, barrier, lengths)
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
function eliminateLimits(problem: HeatProblem, { soft, quadratic }: Iterate, barrier: number) {
  const { rowCurve, rowPull } = quadratic
  const { slacks, duals, excesses, excessDuals, inverses } = soft
  const steps = stepsOf(problem)
  rowCurve.fill(0)
  rowPull.fill(0)
  for (let i = 0; i < problem.limits.length; i++) {
    const { row, sign } = problem.limits[i] as Limit
    for (let k = 0, at = i * steps, to = row * steps; k < steps; k++, at++, to++) {
      const dual = duals[at] as number
      if (dual === 0) continue
      const excessDual = excessDuals[at] as number
      const free = dual * (excesses[at] as number)
      const inverse = 1 / (free + excessDual * (slacks[at] as number))
      inverses[at] = inverse
      rowCurve[to] = (rowCurve[to] as number) + dual * excessDual * inverse
      rowPull[to] =
        (rowPull[to] as number) + sign * inverse * (barrier * (dual - excessDual) - free * (dual + excessDual))
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

function finishLimits(problem: HeatProblem, { soft, rowStep }: Iterate, barrier: number, lengths: Lengths) {
  const { slacks, duals, excesses, excessDuals, slackSteps, dualSteps, excessSteps, inverses } = soft
  const steps = stepsOf(problem)
  let { primal, dual: dualLength } = lengths
  for (let i = 0; i < problem.limits.length; i++) {
    const { row, sign } = problem.limits[i] as Limit
    for (let k = 0, at = i * steps, from = row * steps; k < steps; k++, at++, from++) {
      const dual = duals[at] as number
      if (dual === 0) continue
      const slack = slacks[at] as number
      const excess = excesses[at] as number
      const excessDual = excessDuals[at] as number
      const inverse = inverses[at] as number
      const lookStep = sign * (rowStep[from] as number)
      const excessStep =
        inverse * (barrier * (slack + excess) - excess * (slack * (dual + excessDual) + dual * lookStep))
      const slackStep = lookStep + excessStep
      const dualStep = inverse * (barrier * (excessDual - dual) - dual * excessDual * (slack - excess + lookStep))
      slackSteps[at] = slackStep
      dualSteps[at] = dualStep
      excessSteps[at] = excessStep
      primal = shortened(primal, slack, slackStep)
      primal = shortened(primal, excess, excessStep)
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
