/**
 * The cheapest heat over a horizon: a linear programme with the structure of time.
 *
 *   minimise   Σ price_k·q_k + Σ weight·max(0, level − sign·row·x_k) + final·x_N
 *   subject to x_{k+1} = A_k·x_k + b_k·q_k + w_k,   0 ≤ q_k ≤ ceiling_k − slope_k·x_k[0]
 */
export type HeatProblem = {
  states: number
  start: Float64Array
  /** Row-major, one a step; the same array may stand for several. */
  transition: Float64Array[]
  /** State change per unit of heat, one a step. */
  gain: Float64Array[]
  /** Everything that happens without heat, one a step. */
  drift: Float64Array[]
  /** Of a unit of heat, one a step. */
  price: Float64Array
  ceiling: Float64Array
  slope: Float64Array
  /** Linear looks at the state. */
  rows: Float64Array[]
  /** Soft limits on them: `sign · row · x ≥ level`, for the state after each step. */
  limits: Limit[]
  /** One entry a step and limit; a weight of zero means no limit there. */
  level: Float64Array
  weight: Float64Array
  final: Float64Array
}

export type Limit = { row: number; sign: 1 | -1 }

export const stepsOf = (problem: HeatProblem) => problem.transition.length

/** Runs the heat through the problem's equations; `path` holds the state after each step. */
export function simulate(problem: HeatProblem, heat: Float64Array, path: Float64Array) {
  const n = problem.states
  for (let k = 0; k < stepsOf(problem); k++) {
    const a = problem.transition[k] as Float64Array
    const gain = problem.gain[k] as Float64Array
    const drift = problem.drift[k] as Float64Array
    const from = k === 0 ? problem.start : path
    const offset = k === 0 ? 0 : (k - 1) * n
    for (let i = 0; i < n; i++) {
      let sum = (drift[i] as number) + (gain[i] as number) * (heat[k] as number)
      for (let j = 0; j < n; j++) sum += (a[i * n + j] as number) * (from[offset + j] as number)
      path[k * n + i] = sum
    }
  }
}

/** What is left below the ceiling in a step. */
export function headroom(problem: HeatProblem, heat: Float64Array, path: Float64Array, k: number): number {
  const first = (k === 0 ? problem.start[0] : path[(k - 1) * problem.states]) as number
  return (problem.ceiling[k] as number) - (problem.slope[k] as number) * first - (heat[k] as number)
}

/** A row at a state found at `offset`. */
export function look(row: Float64Array, states: Float64Array, offset: number): number {
  let sum = 0
  for (let j = 0; j < row.length; j++) sum += (row[j] as number) * (states[offset + j] as number)
  return sum
}

/** How far a limit is missed after step `k`; negative when it is kept. */
export function missing(problem: HeatProblem, path: Float64Array, k: number, i: number): number {
  const { row, sign } = problem.limits[i] as Limit
  const level = problem.level[k * problem.limits.length + i] as number
  return level - sign * look(problem.rows[row] as Float64Array, path, k * problem.states)
}

export function costOf(problem: HeatProblem, heat: Float64Array, path: Float64Array): number {
  const steps = stepsOf(problem)
  let cost = look(problem.final, path, (steps - 1) * problem.states)
  for (let k = 0; k < steps; k++) cost += (problem.price[k] as number) * (heat[k] as number)
  return cost + missedCost(problem, path, 0, problem.limits.length)
}

/** What it costs that limits are missed: those from one index up to another. */
export function missedCost(problem: HeatProblem, path: Float64Array, from: number, to: number): number {
  const count = problem.limits.length
  let cost = 0
  for (let k = 0; k < stepsOf(problem); k++)
    for (let i = from; i < to; i++)
      cost += (problem.weight[k * count + i] as number) * Math.max(0, missing(problem, path, k, i))
  return cost
}
