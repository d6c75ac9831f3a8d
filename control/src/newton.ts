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
}

export const newPair = (length: number): Pair => ({
  slack: new Float64Array(length),
  dual: new Float64Array(length),
  slackStep: new Float64Array(length),
  dualStep: new Float64Array(length),
})

/** One Newton step towards slack·dual = barrier everywhere: backwards through time for the law, forwards for the step. */
export function newtonStep(problem: HeatProblem, iterate: Iterate, barrier: number) {
  const limits = eliminateLimits(problem, iterate, barrier)
  const policy = backward(problem, iterate, barrier, limits)
  forward(problem, iterate, policy)
  finishHeat(problem, iterate, barrier)
  finishLimits(problem, iterate, barrier)
}

type Limits = { curve: Float64Array; pull: Float64Array }

/** Every limit with its excess eliminated: a curvature and a pull on its row. */
function eliminateLimits(problem: HeatProblem, { over, excess }: Iterate, barrier: number): Limits {
  const count = problem.weight.length
  const curve = new Float64Array(count)
  const pull = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    const weight = problem.weight[at] as number
    if (weight === 0) continue
    const overSlack = over.slack[at] as number
    const excessSlack = excess.slack[at] as number
    const overWeight = (over.dual[at] as number) / overSlack
    const excessWeight = (excess.dual[at] as number) / excessSlack
    const total = overWeight + excessWeight
    const rest = barrier / overSlack + barrier / excessSlack - weight
    curve[at] = (overWeight * excessWeight) / total
    pull[at] = (overWeight * rest) / total - barrier / overSlack
  }
  return { curve, pull }
}

/** Heat as a feedback on the state: the Riccati recursion. */
type Policy = { feedback: Float64Array; constant: Float64Array }

function backward(problem: HeatProblem, iterate: Iterate, barrier: number, limits: Limits): Policy {
  const n = problem.states
  const steps = stepsOf(problem)
  const { open, low, high } = iterate
  const policy = { feedback: new Float64Array(steps * n), constant: new Float64Array(steps) }
  const value = new Float64Array(n * n)
  const slopes = Float64Array.from(problem.final)
  const valueA = new Float64Array(n * n)
  const valueB = new Float64Array(n)
  const cross = new Float64Array(n)
  const newSlopes = new Float64Array(n)
  for (let k = steps - 1; k >= 0; k--) {
    addLimits(problem, limits, k, value, slopes)
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
    let gradient = problem.price + barrier / highSlack - barrier / lowSlack
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
  { curve, pull }: Limits,
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

function finishHeat(problem: HeatProblem, { open, low, high, heatStep, pathStep }: Iterate, barrier: number) {
  for (let k = 0; k < heatStep.length; k++) {
    if (!open[k]) continue
    const step = heatStep[k] as number
    move(low, k, step, barrier)
    move(high, k, -step - (problem.slope[k] as number) * (pathStep[k * problem.states] as number), barrier)
  }
}

function finishLimits(problem: HeatProblem, { over, excess, pathStep }: Iterate, barrier: number) {
  const { limits, rows, states: n } = problem
  const count = limits.length
  for (let k = 0; k < stepsOf(problem); k++)
    for (let i = 0; i < count; i++) {
      const at = k * count + i
      const weight = problem.weight[at] as number
      if (weight === 0) continue
      const { row, sign } = limits[i] as { row: number; sign: number }
      const rowStep = sign * look(rows[row] as Float64Array, pathStep, (k + 1) * n)
      const overWeight = (over.dual[at] as number) / (over.slack[at] as number)
      const excessWeight = (excess.dual[at] as number) / (excess.slack[at] as number)
      const rest = barrier / (over.slack[at] as number) + barrier / (excess.slack[at] as number) - weight
      const excessStep = (rest - overWeight * rowStep) / (overWeight + excessWeight)
      move(excess, at, excessStep, barrier)
      move(over, at, rowStep + excessStep, barrier)
    }
}

function move(pair: Pair, at: number, slackStep: number, barrier: number) {
  const slack = pair.slack[at] as number
  const dual = pair.dual[at] as number
  pair.slackStep[at] = slackStep
  pair.dualStep[at] = (barrier - dual * slackStep) / slack - dual
}
