import { type HeatProblem, look, stepsOf } from './heat-problem.ts'

/** What a Newton step minimises, as curvatures and pulls: on each row in each step, on heat, and on what is left below
 * the ceiling. Steps that can give no heat are not open. */
export type Quadratic = {
  open: Uint8Array
  rowCurve: Float64Array
  rowPull: Float64Array
  lowCurve: Float64Array
  lowPull: Float64Array
  highCurve: Float64Array
  highPull: Float64Array
}

/** Heat as a feedback on the state. */
export type Policy = { feedback: Float64Array; constant: Float64Array }

export function newQuadratic(problem: HeatProblem): Quadratic {
  const steps = stepsOf(problem)
  const rows = steps * problem.rows.length
  return {
    open: new Uint8Array(steps),
    rowCurve: new Float64Array(rows),
    rowPull: new Float64Array(rows),
    lowCurve: new Float64Array(steps),
    lowPull: new Float64Array(steps),
    highCurve: new Float64Array(steps),
    highPull: new Float64Array(steps),
  }
}

export const newPolicy = (problem: HeatProblem): Policy => ({
  feedback: new Float64Array(stepsOf(problem) * problem.states),
  constant: new Float64Array(stepsOf(problem)),
})

/** The Riccati recursion, for any number of states. */
export function backward(problem: HeatProblem, quadratic: Quadratic, { feedback, constant }: Policy) {
  const n = problem.states
  const { open, lowCurve, lowPull, highCurve, highPull } = quadratic
  const value = new Float64Array(n * n)
  const slopes = Float64Array.from(problem.final)
  const valueA = new Float64Array(n * n)
  const valueB = new Float64Array(n)
  const cross = new Float64Array(n)
  const newSlopes = new Float64Array(n)
  for (let k = stepsOf(problem) - 1; k >= 0; k--) {
    addRows(problem, quadratic, k, value, slopes)
    const a = problem.transition[k] as Float64Array
    const b = problem.gain[k] as Float64Array
    timesValue(value, a, b, n, valueA, valueB)
    carry(a, valueA, slopes, n, value, newSlopes)
    if (open[k]) {
      const slope = problem.slope[k] as number
      const ceilingCurve = (highCurve[k] as number) * slope
      let curvature = (lowCurve[k] as number) + (highCurve[k] as number)
      let gradient = (lowPull[k] as number) + (highPull[k] as number)
      for (let i = 0; i < n; i++) {
        curvature += (b[i] as number) * (valueB[i] as number)
        gradient += (b[i] as number) * (slopes[i] as number)
        let sum = i === 0 ? ceilingCurve : 0
        for (let j = 0; j < n; j++) sum += (a[j * n + i] as number) * (valueB[j] as number)
        cross[i] = sum
      }
      const step = -gradient / curvature
      constant[k] = step
      for (let i = 0; i < n; i++) {
        const share = (cross[i] as number) / curvature
        feedback[k * n + i] = -share
        newSlopes[i] = (newSlopes[i] as number) + step * (cross[i] as number)
        for (let j = 0; j < n; j++) value[i * n + j] = (value[i * n + j] as number) - share * (cross[j] as number)
      }
      newSlopes[0] = (newSlopes[0] as number) + (highPull[k] as number) * slope
      value[0] = (value[0] as number) + ceilingCurve * slope
    }
    slopes.set(newSlopes)
  }
}

function addRows(
  problem: HeatProblem,
  { rowCurve, rowPull }: Quadratic,
  k: number,
  value: Float64Array,
  slopes: Float64Array,
) {
  const n = problem.states
  const steps = stepsOf(problem)
  for (const [r, row] of problem.rows.entries()) {
    const curve = rowCurve[r * steps + k] as number
    const pull = rowPull[r * steps + k] as number
    for (let i = 0; i < n; i++) {
      slopes[i] = (slopes[i] as number) + pull * (row[i] as number)
      for (let j = 0; j < n; j++)
        value[i * n + j] = (value[i * n + j] as number) + curve * (row[i] as number) * (row[j] as number)
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

/** Where a policy leads to: the steps of heat, state and rows. */
export type Steps = {
  heatStep: Float64Array
  pathStep: Float64Array
  /** Of each row, step by step. */
  rowStep: Float64Array
}

/** From a start that does not move. */
export function forward(problem: HeatProblem, { feedback, constant }: Policy, { heatStep, pathStep, rowStep }: Steps) {
  const n = problem.states
  const steps = stepsOf(problem)
  for (let k = 0; k < steps; k++) {
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
    for (const [r, row] of problem.rows.entries()) rowStep[r * steps + k] = look(row, pathStep, (k + 1) * n)
  }
}
