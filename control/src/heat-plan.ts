/**
 * The cheapest heat over a horizon, exactly: a linear programme with the structure of time.
 *
 *   minimise   Σ price·q_k + Σ weight·max(0, level − row·x_k) + final·x_N
 *   subject to x_{k+1} = A_k·x_k + b·q_k + w_k,   0 ≤ q_k ≤ ceiling_k − slope_k·x_k[0]
 *
 * Solved by a primal-dual interior-point method whose Newton step is a Riccati recursion, so that the cost grows only
 * with the number of steps. See law.md.
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
  price: number
  ceiling: Float64Array
  slope: Float64Array
  /** What the soft limits look at; `level` and `weight` have one entry a step and row, for the state after the step. */
  rows: Float64Array[]
  level: Float64Array
  weight: Float64Array
  final: Float64Array
}

export type HeatPlan = {
  heat: Float64Array
  /** State after each step, row by row. */
  path: Float64Array
  cost: number
  /** How much cheaper any other plan could be at most, as far as the duals are feasible. */
  gap: number
  iterations: number
}

const CLOSED = 1e-3
const MAX_ITERATIONS = 60
const BACK_OFF = 0.985

export function planHeat(problem: HeatProblem, tolerance = 1e-3): HeatPlan {
  const work = new Workspace(problem)
  let iterations = 0
  let gap = work.complementarity()
  for (; iterations < MAX_ITERATIONS && gap > tolerance; iterations++) {
    const barrier = work.nextBarrier(gap)
    work.backward(barrier)
    work.forward(barrier)
    work.move()
    gap = work.complementarity()
  }
  return { heat: work.heat, path: work.path, cost: work.cost(), gap, iterations }
}

/** One problem being solved: the iterate, its slacks and multipliers, and the recursion's memory. */
class Workspace {
  readonly heat: Float64Array
  readonly path: Float64Array
  private readonly problem: HeatProblem
  private readonly n: number
  private readonly steps: number
  private readonly rowCount: number
  private readonly open: Uint8Array
  /** Slacks and multipliers: heat above zero, heat below its ceiling, and two for every soft limit. */
  private readonly low: Float64Array
  private readonly lowDual: Float64Array
  private readonly high: Float64Array
  private readonly highDual: Float64Array
  private readonly excess: Float64Array
  private readonly excessDual: Float64Array
  private readonly over: Float64Array
  private readonly overDual: Float64Array
  private readonly feedback: Float64Array
  private readonly feedForward: Float64Array
  private readonly heatStep: Float64Array
  private readonly pathStep: Float64Array
  private readonly excessStep: Float64Array
  private readonly overStep: Float64Array
  private readonly lowDualStep: Float64Array
  private readonly highDualStep: Float64Array
  private readonly excessDualStep: Float64Array
  private readonly overDualStep: Float64Array
  private readonly highStep: Float64Array
  private lastLength = 0

  constructor(problem: HeatProblem) {
    const n = problem.states
    const steps = problem.transition.length
    const rowCount = problem.rows.length
    const perStep = () => new Float64Array(steps)
    const perLimit = () => new Float64Array(steps * rowCount)
    this.problem = problem
    this.n = n
    this.steps = steps
    this.rowCount = rowCount
    this.heat = perStep()
    this.path = new Float64Array(steps * n)
    this.open = new Uint8Array(steps)
    this.low = perStep()
    this.lowDual = perStep()
    this.high = perStep()
    this.highDual = perStep()
    this.excess = perLimit()
    this.excessDual = perLimit()
    this.over = perLimit()
    this.overDual = perLimit()
    this.feedback = new Float64Array(steps * n)
    this.feedForward = perStep()
    this.heatStep = perStep()
    this.pathStep = new Float64Array((steps + 1) * n)
    this.excessStep = perLimit()
    this.overStep = perLimit()
    this.lowDualStep = perStep()
    this.highDualStep = perStep()
    this.excessDualStep = perLimit()
    this.overDualStep = perLimit()
    this.highStep = perStep()
    this.begin()
  }

  /** A strictly feasible start: no heat, then as much of the ceiling as leaves room for it. */
  private begin() {
    const { problem, steps, n, rowCount } = this
    this.simulate()
    for (let k = 0; k < steps; k++) {
      const roomWm2 = (problem.ceiling[k] as number) - (problem.slope[k] as number) * this.before(k, 0)
      this.open[k] = roomWm2 > CLOSED ? 1 : 0
    }
    for (let share = 0.3; ; share *= 0.5) {
      for (let k = 0; k < steps; k++) {
        const topWm2 = (problem.ceiling[k] as number) - (problem.slope[k] as number) * this.startOf(k)
        this.heat[k] = this.open[k] ? Math.max(CLOSED / 4, share * Math.max(0, topWm2)) : 0
      }
      this.simulate()
      if (this.openSlacks() > 0 || share < 1e-6) break
    }
    for (let k = 0; k < steps; k++) {
      this.low[k] = this.heat[k] as number
      this.high[k] = Math.max(CLOSED / 4, this.ceilingSlack(k))
      this.lowDual[k] = problem.price
      this.highDual[k] = 0.1 * problem.price
      for (let i = 0; i < rowCount; i++) {
        const at = k * rowCount + i
        const missing = (problem.level[at] as number) - this.rowAt(i, this.path, k * n)
        this.excess[at] = Math.max(0, missing) + 0.3
        this.over[at] = (this.excess[at] as number) - missing
        this.excessDual[at] = 0.5 * (problem.weight[at] as number)
        this.overDual[at] = 0.5 * (problem.weight[at] as number)
      }
    }
  }

  private startOf(k: number): number {
    return k === 0 ? (this.problem.start[0] as number) : (this.path[(k - 1) * this.n] as number)
  }

  private before(k: number, j: number): number {
    return k === 0 ? (this.problem.start[j] as number) : (this.path[(k - 1) * this.n + j] as number)
  }

  private ceilingSlack(k: number): number {
    const { ceiling, slope } = this.problem
    return (ceiling[k] as number) - (slope[k] as number) * this.before(k, 0) - (this.heat[k] as number)
  }

  private openSlacks(): number {
    let least = Number.POSITIVE_INFINITY
    for (let k = 0; k < this.steps; k++) if (this.open[k]) least = Math.min(least, this.ceilingSlack(k))
    return least
  }

  private rowAt(i: number, states: Float64Array, offset: number): number {
    const row = this.problem.rows[i] as Float64Array
    let sum = 0
    for (let j = 0; j < this.n; j++) sum += (row[j] as number) * (states[offset + j] as number)
    return sum
  }

  private simulate() {
    const { problem, n, steps } = this
    for (let k = 0; k < steps; k++) {
      const a = problem.transition[k] as Float64Array
      const gain = problem.gain[k] as Float64Array
      const drift = problem.drift[k] as Float64Array
      for (let i = 0; i < n; i++) {
        let sum = (drift[i] as number) + (gain[i] as number) * (this.heat[k] as number)
        for (let j = 0; j < n; j++) sum += (a[i * n + j] as number) * this.before(k, j)
        this.path[k * n + i] = sum
      }
    }
  }

  complementarity(): number {
    let sum = 0
    for (let k = 0; k < this.steps; k++) {
      if (!this.open[k]) continue
      sum += (this.low[k] as number) * (this.lowDual[k] as number)
      sum += (this.high[k] as number) * (this.highDual[k] as number)
    }
    for (let at = 0; at < this.over.length; at++) {
      if (!this.problem.weight[at]) continue
      sum += (this.excess[at] as number) * (this.excessDual[at] as number)
      sum += (this.over[at] as number) * (this.overDual[at] as number)
    }
    return sum
  }

  /** The target for each product of slack and multiplier: bolder after a long step. */
  nextBarrier(gap: number): number {
    let products = 0
    for (let k = 0; k < this.steps; k++) products += this.open[k] ? 2 : 0
    for (let at = 0; at < this.over.length; at++) products += this.problem.weight[at] ? 2 : 0
    const centring = Math.max(0.02, 0.6 * (1 - this.lastLength) ** 1.5)
    return (centring * gap) / Math.max(1, products)
  }

  backward(barrier: number) {
    const { problem, n, steps, rowCount } = this
    const value = new Float64Array(n * n)
    const slopeOf = Float64Array.from(problem.final)
    const valueA = new Float64Array(n * n)
    const valueB = new Float64Array(n)
    const cross = new Float64Array(n)
    for (let k = steps - 1; k >= 0; k--) {
      for (let i = 0; i < rowCount; i++) this.addLimit(k * rowCount + i, i, barrier, value, slopeOf)
      const a = problem.transition[k] as Float64Array
      const b = problem.gain[k] as Float64Array
      const isOpen = this.open[k] === 1
      const slope = problem.slope[k] as number
      const lowWeight = isOpen ? (this.lowDual[k] as number) / (this.low[k] as number) : 0
      const highWeight = isOpen ? (this.highDual[k] as number) / (this.high[k] as number) : 0
      for (let i = 0; i < n; i++) {
        let sum = 0
        for (let j = 0; j < n; j++) sum += (value[i * n + j] as number) * (b[j] as number)
        valueB[i] = sum
        for (let j = 0; j < n; j++) {
          let product = 0
          for (let m = 0; m < n; m++) product += (value[i * n + m] as number) * (a[m * n + j] as number)
          valueA[i * n + j] = product
        }
      }
      let curvature = lowWeight + highWeight
      let gradient = problem.price
      for (let i = 0; i < n; i++) {
        curvature += (b[i] as number) * (valueB[i] as number)
        gradient += (b[i] as number) * (slopeOf[i] as number)
      }
      if (isOpen) gradient += barrier / (this.high[k] as number) - barrier / (this.low[k] as number)
      for (let j = 0; j < n; j++) {
        let sum = j === 0 ? highWeight * slope : 0
        for (let i = 0; i < n; i++) sum += (a[i * n + j] as number) * (valueB[i] as number)
        cross[j] = sum
      }
      const forward = isOpen ? -gradient / curvature : 0
      this.feedForward[k] = forward
      const newSlope = new Float64Array(n)
      for (let i = 0; i < n; i++) {
        this.feedback[k * n + i] = isOpen ? -(cross[i] as number) / curvature : 0
        let sum = forward * (cross[i] as number)
        for (let j = 0; j < n; j++) sum += (a[j * n + i] as number) * (slopeOf[j] as number)
        newSlope[i] = sum
      }
      if (isOpen) newSlope[0] = (newSlope[0] as number) + (barrier / (this.high[k] as number)) * slope
      const next = new Float64Array(n * n)
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          let sum = isOpen ? -((cross[i] as number) * (cross[j] as number)) / curvature : 0
          for (let m = 0; m < n; m++) sum += (a[m * n + i] as number) * (valueA[m * n + j] as number)
          next[i * n + j] = sum
        }
      if (isOpen) next[0] = (next[0] as number) + highWeight * slope * slope
      value.set(next)
      slopeOf.set(newSlope)
    }
  }

  /** A soft limit with its excess eliminated: one weight on the row, one pull. */
  private addLimit(at: number, i: number, barrier: number, value: Float64Array, slopeOf: Float64Array) {
    const weight = this.problem.weight[at] as number
    if (!weight) return
    const { n } = this
    const row = this.problem.rows[i] as Float64Array
    const overWeight = (this.overDual[at] as number) / (this.over[at] as number)
    const excessWeight = (this.excessDual[at] as number) / (this.excess[at] as number)
    const sum = overWeight + excessWeight
    const pullOver = barrier / (this.over[at] as number)
    const rest = pullOver + barrier / (this.excess[at] as number) - weight
    const curve = (overWeight * excessWeight) / sum
    const pull = (overWeight * rest) / sum - pullOver
    for (let a = 0; a < n; a++) {
      slopeOf[a] = (slopeOf[a] as number) + pull * (row[a] as number)
      for (let b = 0; b < n; b++)
        value[a * n + b] = (value[a * n + b] as number) + curve * (row[a] as number) * (row[b] as number)
    }
  }

  forward(barrier: number) {
    const { problem, n, steps, rowCount, pathStep } = this
    pathStep.fill(0, 0, n)
    for (let k = 0; k < steps; k++) {
      const a = problem.transition[k] as Float64Array
      const b = problem.gain[k] as Float64Array
      let heatStep = this.feedForward[k] as number
      for (let j = 0; j < n; j++) heatStep += (this.feedback[k * n + j] as number) * (pathStep[k * n + j] as number)
      this.heatStep[k] = heatStep
      for (let i = 0; i < n; i++) {
        let sum = (b[i] as number) * heatStep
        for (let j = 0; j < n; j++) sum += (a[i * n + j] as number) * (pathStep[k * n + j] as number)
        pathStep[(k + 1) * n + i] = sum
      }
      this.highStep[k] = -heatStep - (problem.slope[k] as number) * (pathStep[k * n] as number)
      if (this.open[k]) {
        this.lowDualStep[k] = dualStep(barrier, this.low[k] as number, this.lowDual[k] as number, heatStep)
        this.highDualStep[k] = dualStep(
          barrier,
          this.high[k] as number,
          this.highDual[k] as number,
          this.highStep[k] as number,
        )
      }
      for (let i = 0; i < rowCount; i++) this.stepLimit(k * rowCount + i, i, (k + 1) * n, barrier)
    }
  }

  private stepLimit(at: number, i: number, offset: number, barrier: number) {
    const weight = this.problem.weight[at] as number
    if (!weight) return
    const over = this.over[at] as number
    const excess = this.excess[at] as number
    const overWeight = (this.overDual[at] as number) / over
    const excessWeight = (this.excessDual[at] as number) / excess
    const rowStep = this.rowAt(i, this.pathStep, offset)
    const rest = barrier / over + barrier / excess - weight
    const excessStep = (rest - overWeight * rowStep) / (overWeight + excessWeight)
    this.excessStep[at] = excessStep
    this.overStep[at] = rowStep + excessStep
    this.excessDualStep[at] = dualStep(barrier, excess, this.excessDual[at] as number, excessStep)
    this.overDualStep[at] = dualStep(barrier, over, this.overDual[at] as number, rowStep + excessStep)
  }

  /** As far as every slack and multiplier stays positive. */
  move() {
    const { steps, n } = this
    let primal = 1
    let dual = 1
    for (let k = 0; k < steps; k++) {
      if (!this.open[k]) continue
      primal = Math.min(primal, reach(this.low[k] as number, this.heatStep[k] as number))
      primal = Math.min(primal, reach(this.high[k] as number, this.highStep[k] as number))
      dual = Math.min(dual, reach(this.lowDual[k] as number, this.lowDualStep[k] as number))
      dual = Math.min(dual, reach(this.highDual[k] as number, this.highDualStep[k] as number))
    }
    for (let at = 0; at < this.over.length; at++) {
      if (!this.problem.weight[at]) continue
      primal = Math.min(primal, reach(this.over[at] as number, this.overStep[at] as number))
      primal = Math.min(primal, reach(this.excess[at] as number, this.excessStep[at] as number))
      dual = Math.min(dual, reach(this.overDual[at] as number, this.overDualStep[at] as number))
      dual = Math.min(dual, reach(this.excessDual[at] as number, this.excessDualStep[at] as number))
    }
    this.lastLength = Math.min(primal, dual)
    addScaled(this.heat, this.heatStep, primal)
    addScaled(this.low, this.heatStep, primal)
    addScaled(this.high, this.highStep, primal)
    addScaled(this.path, this.pathStep.subarray(n), primal)
    addScaled(this.over, this.overStep, primal)
    addScaled(this.excess, this.excessStep, primal)
    addScaled(this.lowDual, this.lowDualStep, dual)
    addScaled(this.highDual, this.highDualStep, dual)
    addScaled(this.overDual, this.overDualStep, dual)
    addScaled(this.excessDual, this.excessDualStep, dual)
  }

  cost(): number {
    const { problem, steps, n, rowCount } = this
    let cost = 0
    for (let k = 0; k < steps; k++) cost += problem.price * (this.heat[k] as number)
    for (let at = 0; at < this.over.length; at++) {
      const missing =
        (problem.level[at] as number) - this.rowAt(at % rowCount, this.path, Math.floor(at / rowCount) * n)
      cost += (problem.weight[at] as number) * Math.max(0, missing)
    }
    for (let j = 0; j < n; j++) cost += (problem.final[j] as number) * (this.path[(steps - 1) * n + j] as number)
    return cost
  }
}

const dualStep = (barrier: number, slack: number, dual: number, slackStep: number) =>
  (barrier - dual * slackStep) / slack - dual

const reach = (value: number, step: number) => (step < 0 ? Math.min(1, (-BACK_OFF * value) / step) : 1)

function addScaled(target: Float64Array, step: Float64Array, scale: number) {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) + scale * (step[i] as number)
}
