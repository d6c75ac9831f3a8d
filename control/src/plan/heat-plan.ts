import { costOf, type HeatProblem, headroom, missing, simulate, stepsOf } from './heat-problem.ts'
import { type Iterate, type Lengths, newPair, newSoftLimits, newtonStep, type Pair, type SoftLimits } from './newton.ts'
import { newPolicy, newQuadratic } from './riccati.ts'

export type { HeatProblem } from './heat-problem.ts'

export type HeatPlan = {
  heat: Float64Array
  /** State after each step, row by row. */
  path: Float64Array
  cost: number
  /** The sum of all slack·multiplier: at the end, how much cheaper any other plan could be at most. */
  gap: number
  iterations: number
}

/** Below this a step gives no heat worth a variable. */
const CLOSED = 1e-3
const MAX_ITERATIONS = 60

/** A primal-dual interior-point method whose Newton step is a Riccati recursion: its cost grows only with the steps. */
export function planHeat(problem: HeatProblem, tolerance: number): HeatPlan {
  const iterate = firstIterate(problem)
  const products = countProducts(problem, iterate)
  let gap = advance(problem, iterate, { primal: 0, dual: 0 })
  let length = 0
  let iterations = 0
  for (; iterations < MAX_ITERATIONS && gap > tolerance; iterations++) {
    const centring = Math.max(0.02, 0.6 * (1 - length) ** 1.5)
    const lengths = newtonStep(problem, iterate, (centring * gap) / products)
    gap = advance(problem, iterate, lengths)
    length = Math.min(lengths.primal, lengths.dual)
  }
  const { heat, path } = iterate
  return { heat, path, cost: costOf(problem, heat, path), gap, iterations }
}

/** A strictly feasible start: a share of the ceiling that leaves room for itself, and an excess wherever it is needed. */
function firstIterate(problem: HeatProblem): Iterate {
  const steps = stepsOf(problem)
  const limits = problem.weight.length
  const iterate: Iterate = {
    heat: new Float64Array(steps),
    path: new Float64Array(steps * problem.states),
    heatStep: new Float64Array(steps),
    pathStep: new Float64Array((steps + 1) * problem.states),
    rowStep: new Float64Array(steps * problem.rows.length),
    low: newPair(steps),
    high: newPair(steps),
    soft: newSoftLimits(limits),
    quadratic: newQuadratic(problem),
    policy: newPolicy(problem),
  }
  startHeat(problem, iterate)
  const { heat, path, low, high, soft } = iterate
  for (let k = 0; k < steps; k++) {
    low.slack[k] = heat[k] as number
    high.slack[k] = Math.max(CLOSED / 4, headroom(problem, heat, path, k))
    low.dual[k] = problem.price[k] as number
    high.dual[k] = 0.1 * (problem.price[k] as number)
    for (let i = 0; i < problem.limits.length; i++) {
      const at = i * steps + k
      const short = missing(problem, path, k, i)
      soft.excesses[at] = Math.max(0, short) + 0.3
      soft.slacks[at] = (soft.excesses[at] as number) - short
      soft.excessDuals[at] = 0.5 * (problem.weight[k * problem.limits.length + i] as number)
      soft.duals[at] = soft.excessDuals[at] as number
    }
  }
  return iterate
}

function startHeat(problem: HeatProblem, { heat, path, quadratic: { open } }: Iterate) {
  simulate(problem, heat, path)
  const free = heat.map((_, k) => headroom(problem, heat, path, k))
  for (let k = 0; k < heat.length; k++) open[k] = (free[k] as number) > CLOSED ? 1 : 0
  for (let share = 0.3; share > 1e-6; share /= 2) {
    for (let k = 0; k < heat.length; k++) heat[k] = open[k] ? Math.max(CLOSED / 4, share * (free[k] as number)) : 0
    simulate(problem, heat, path)
    if (heat.every((_, k) => !open[k] || headroom(problem, heat, path, k) > 0)) return
  }
}

function countProducts(problem: HeatProblem, { quadratic: { open } }: Iterate): number {
  const heats = open.reduce((sum, isOpen) => sum + 2 * isOpen, 0)
  return Math.max(
    1,
    problem.weight.reduce((sum, weight) => sum + (weight > 0 ? 2 : 0), heats),
  )
}

/** Goes along the step; returns the sum of all slack·multiplier there. */
function advance(problem: HeatProblem, iterate: Iterate, { primal, dual }: Lengths): number {
  const { heat, path, heatStep, pathStep, low, high, soft } = iterate
  const { states } = problem
  for (let k = 0; k < heat.length; k++) heat[k] = (heat[k] as number) + primal * (heatStep[k] as number)
  for (let i = 0; i < path.length; i++) path[i] = (path[i] as number) + primal * (pathStep[states + i] as number)
  const { kept, paid } = movedLimits(soft, primal, dual)
  return moved(low, primal, dual) + moved(high, primal, dual) + kept + paid
}

function moved({ slack, dual, slackStep, dualStep }: Pair, primalLength: number, dualLength: number): number {
  let sum = 0
  for (let at = 0; at < slack.length; at++) {
    const s = (slack[at] as number) + primalLength * (slackStep[at] as number)
    const d = (dual[at] as number) + dualLength * (dualStep[at] as number)
    slack[at] = s
    dual[at] = d
    sum += s * d
  }
  return sum
}

function movedLimits(limits: SoftLimits, primalLength: number, dualLength: number): { kept: number; paid: number } {
  const { slacks, duals, excesses, excessDuals, slackSteps, dualSteps, excessSteps } = limits
  let kept = 0
  let paid = 0
  for (let at = 0; at < slacks.length; at++) {
    if (duals[at] === 0) continue
    const dualStep = dualLength * (dualSteps[at] as number)
    const slack = (slacks[at] as number) + primalLength * (slackSteps[at] as number)
    const dual = (duals[at] as number) + dualStep
    const excess = (excesses[at] as number) + primalLength * (excessSteps[at] as number)
    const excessDual = (excessDuals[at] as number) - dualStep
    slacks[at] = slack
    duals[at] = dual
    excesses[at] = excess
    excessDuals[at] = excessDual
    kept += slack * dual
    paid += excess * excessDual
  }
  return { kept, paid }
}
