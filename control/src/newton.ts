import { type HeatProblem, look, stepsOf } from './heat-problem.ts'

/** A constraint's slacks and multipliers, and how they would move. */
export type Pair = { slack: Float64Array; dual: Float64Array; slackStep: Float64Array; dualStep: Float64Array }

export type Iterate = {
  heat: Float64Array
  path: Float64Array
  heatStep: Float64Array
  pathStep: Float64Array
  /** Steps that can give heat at all. */
  open: Uint8Array
  low: Pair
  high: Pair
  /** Of every soft limit: what it is kept by, and the excess that is paid for. */
  over: Pair
  excess: Pair
  eliminated: Eliminated
}

/** Of every soft limit with its excess eliminated: a curvature and a pull on its row, and what the way back needs. */
type Eliminated = {
  curve: Float64Array
  pull: Float64Array
  overWeight: Float64Array
  excessWeight: Float64Array
  overBarrier: Float64Array
  excessBarrier: Float64Array
}

export const newEliminated = (length: number): Eliminated => ({
  curve: new Float64Array(length),
  pull: new Float64Array(length),
  overWeight: new Float64Array(length),
  excessWeight: new Float64Array(length),
  overBarrier: new Float64Array(length),
  excessBarrier: new Float64Array(length),
})

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
  eliminateLimits(problem, iterate, barrier)
  const policy = backward(problem, iterate, barrier)
  forward(problem, iterate, policy)
  const lengths = { primal: 1, dual: 1 }
  finishHeat(problem, iterate, barrier, lengths)
  finishLimits(problem, iterate, lengths)
  return lengths
}

function eliminateLimits(problem: HeatProblem, { over, excess, eliminated }: Iterate, barrier: number) {
  const { curve, pull, overWeight, excessWeight, overBarrier, excessBarrier } = eliminated
  for (let at = 0; at < problem.weight.length; at++) {
    const weight = problem.weight[at] as number
    if (weight === 0) continue
    const overInverse = 1 / (over.slack[at] as number)
    const excessInverse = 1 / (excess.slack[at] as number)
    const ow = (over.dual[at] as number) * overInverse
    const ew = (excess.dual[at] as number) * excessInverse
    const ob = barrier * overInverse
    const eb = barrier * excessInverse
    const share = ow / (ow + ew)
    curve[at] = share * ew
    pull[at] = share * (ob + eb - weight) - ob
    overWeight[at] = ow
    excessWeight[at] = ew
    overBarrier[at] = ob
    excessBarrier[at] = eb
  }
}

/** Heat as a feedback on the state: the Riccati recursion. */
type Policy = { feedback: Float64Array; constant: Float64Array }

function backward(problem: HeatProblem, iterate: Iterate, barrier: number): Policy {
  const n = problem.states
  const steps = stepsOf(problem)
  const { open, low, high, eliminated } = iterate
  const policy = { feedback: new Float64Array(steps * n), constant: new Float64Array(steps) }
  const value = new Float64Array(n * n)
  const slopes = Float64Array.from(problem.final)
  const valueA = new Float64Array(n * n)
  const valueB = new Float64Array(n)
  const cross = new Float64Array(n)
  const newSlopes = new Float64Array(n)
  for (let k = steps - 1; k >= 0; k--) {
    addLimits(problem, eliminated, k, value, slopes)
    const a = problem.transition[k] as Float64Array
    const b = problem.gain[k] as Float64Array
    timesValue(value, a, b, n, valueA, valueB)
    if (!open[k]) {
      carry(a, valueA, slopes, n, value, newSlopes)
      slopes.set(newSlopes)
      continue
    }
    const slope = problem.slope[k] as number
    const lowSlack = low.slack[k] as number
    const highSlack = high.slack[k] as number
    const highWeight = (high.dual[k] as number) / highSlack
    let curvature = (low.dual[k] as number) / lowSlack + highWeight
    let gradient = (problem.price[k] as number) + barrier / highSlack - barrier / lowSlack
    for (let i = 0; i < n; i++) {
      curvature += (b[i] as number) * (valueB[i] as number)
      gradient += (b[i] as number) * (slopes[i] as number)
      let sum = i === 0 ? highWeight * slope : 0
      for (let j = 0; j < n; j++) sum += (a[j * n + i] as number) * (valueB[j] as number)
      cross[i] = sum
    }
    const constant = -gradient / curvature
    policy.constant[k] = constant
    carry(a, valueA, slopes, n, value, newSlopes)
    for (let i = 0; i < n; i++) {
      const share = (cross[i] as number) / curvature
      policy.feedback[k * n + i] = -share
      newSlopes[i] = (newSlopes[i] as number) + constant * (cross[i] as number)
      for (let j = 0; j < n; j++) value[i * n + j] = (value[i * n + j] as number) - share * (cross[j] as number)
    }
    newSlopes[0] = (newSlopes[0] as number) + (barrier / highSlack) * slope
    value[0] = (value[0] as number) + highWeight * slope * slope
    slopes.set(newSlopes)
  }
  return policy
}

function addLimits(
  problem: HeatProblem,
  { curve, pull }: Eliminated,
  k: number,
  value: Float64Array,
  slopes: Float64Array,
) {
  const { limits, rows, states: n } = problem
  const count = limits.length
  for (let r = 0; r < rows.length; r++) {
    let rowCurve = 0
    let rowPull = 0
    for (let i = 0; i < count; i++) {
      const limit = limits[i] as { row: number; sign: number }
      if (limit.row !== r) continue
      rowCurve += curve[k * count + i] as number
      rowPull += limit.sign * (pull[k * count + i] as number)
    }
    const row = rows[r] as Float64Array
    for (let i = 0; i < n; i++) {
      const entry = row[i] as number
      if (entry === 0) continue
      slopes[i] = (slopes[i] as number) + rowPull * entry
      for (let j = 0; j < n; j++)
        value[i * n + j] = (value[i * n + j] as number) + rowCurve * entry * (row[j] as number)
    }
  }
}

function timesValue(
  value: Float64Array,
  a: Float64Array,
  b: Float64Array,
  n: number,
  valueA: Float64Array,
  valueB: Float64Array,
) {
  for (let i = 0; i < n; i++) {
    let withGain = 0
    for (let j = 0; j < n; j++) {
      withGain += (value[i * n + j] as number) * (b[j] as number)
      let sum = 0
      for (let m = 0; m < n; m++) sum += (value[i * n + m] as number) * (a[m * n + j] as number)
      valueA[i * n + j] = sum
    }
    valueB[i] = withGain
  }
}

/** Value and slopes one step earlier, had no heat been given. */
function carry(
  a: Float64Array,
  valueA: Float64Array,
  slopes: Float64Array,
  n: number,
  value: Float64Array,
  newSlopes: Float64Array,
) {
  for (let i = 0; i < n; i++) {
    let slope = 0
    for (let m = 0; m < n; m++) slope += (a[m * n + i] as number) * (slopes[m] as number)
    newSlopes[i] = slope
    for (let j = i; j < n; j++) {
      let sum = 0
      for (let m = 0; m < n; m++) sum += (a[m * n + i] as number) * (valueA[m * n + j] as number)
      value[i * n + j] = sum
      value[j * n + i] = sum
    }
  }
}

function forward(problem: HeatProblem, { heatStep, pathStep }: Iterate, { feedback, constant }: Policy) {
  const n = problem.states
  pathStep.fill(0, 0, n)
  for (let k = 0; k < stepsOf(problem); k++) {
    const a = problem.transition[k] as Float64Array
    const b = problem.gain[k] as Float64Array
    let step = constant[k] as number
    for (let j = 0; j < n; j++) step += (feedback[k * n + j] as number) * (pathStep[k * n + j] as number)
    heatStep[k] = step
    for (let i = 0; i < n; i++) {
      let sum = (b[i] as number) * step
      for (let j = 0; j < n; j++) sum += (a[i * n + j] as number) * (pathStep[k * n + j] as number)
      pathStep[(k + 1) * n + i] = sum
    }
  }
}

function finishHeat(
  problem: HeatProblem,
  { open, low, high, heatStep, pathStep }: Iterate,
  barrier: number,
  lengths: Lengths,
) {
  for (let k = 0; k < heatStep.length; k++) {
    if (!open[k]) continue
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

function finishLimits(problem: HeatProblem, { over, excess, pathStep, eliminated }: Iterate, lengths: Lengths) {
  const { limits, rows, states: n } = problem
  const { overWeight, excessWeight, overBarrier, excessBarrier } = eliminated
  const count = limits.length
  const rowStep = new Float64Array(rows.length)
  let { primal, dual } = lengths
  for (let k = 0; k < stepsOf(problem); k++) {
    for (let r = 0; r < rows.length; r++) rowStep[r] = look(rows[r] as Float64Array, pathStep, (k + 1) * n)
    for (let i = 0; i < count; i++) {
      const at = k * count + i
      const weight = problem.weight[at] as number
      if (weight === 0) continue
      const { row, sign } = limits[i] as { row: number; sign: number }
      const lookStep = sign * (rowStep[row] as number)
      const ow = overWeight[at] as number
      const ew = excessWeight[at] as number
      const ob = overBarrier[at] as number
      const eb = excessBarrier[at] as number
      const excessStep = (ob + eb - weight - ow * lookStep) / (ow + ew)
      const overStep = lookStep + excessStep
      const overDualStep = ob - ow * overStep - (over.dual[at] as number)
      const excessDualStep = eb - ew * excessStep - (excess.dual[at] as number)
      over.slackStep[at] = overStep
      excess.slackStep[at] = excessStep
      over.dualStep[at] = overDualStep
      excess.dualStep[at] = excessDualStep
      primal = shortened(primal, over.slack[at] as number, overStep)
      primal = shortened(primal, excess.slack[at] as number, excessStep)
      dual = shortened(dual, over.dual[at] as number, overDualStep)
      dual = shortened(dual, excess.dual[at] as number, excessDualStep)
    }
  }
  lengths.primal = primal
  lengths.dual = dual
}

const BACK_OFF = 0.985

/** The length of a step at which a positive value keeps a little of itself. */
const shortened = (length: number, value: number, step: number) =>
  length * step < -BACK_OFF * value ? (-BACK_OFF * value) / step : length
