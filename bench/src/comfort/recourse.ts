import type { HeatProblem } from '@hypocaust/control'

/** By how much warmer than expected the room is after each step, on one course of the weather. */
export type Course = number[]

/**
 * The same problem with courses of equal chance: the heat of the first steps is common to all, later each course has its
 * own. The solver knows only a chain of steps, so the courses follow one another. The state is that of the room, the one
 * in which the common steps end, and what has been credited for the heat left at the end of the courses so far.
 */
export function withRecourse(problem: HeatProblem, courses: Course[], commonSteps: number): HeatProblem {
  const { states: n, limits } = problem
  const size = 2 * n + 1
  const share = 1 / courses.length
  const steps: Step[] = []
  const roomStep = (k: number, course: Course | null): Step => {
    const a = problem.transition[k] as Float64Array
    const transition = new Float64Array(size * size)
    place(transition, size, 0, 0, a, n)
    if (course) place(transition, size, n, n, unit(n), n)
    else place(transition, size, n, 0, a, n)
    transition[size * size - 1] = 1
    const widened = (room: Float64Array) => Float64Array.of(...room, ...(course ? new Float64Array(n) : room), 0)
    const chance = course ? share : 1
    return {
      transition,
      gain: widened(problem.gain[k] as Float64Array),
      drift: widened(problem.drift[k] as Float64Array),
      price: chance * (problem.price[k] as number),
      ceiling: problem.ceiling[k] as number,
      slope: problem.slope[k] as number,
      level: limits.map(({ sign }, i) => {
        const level = problem.level[k * limits.length + i] as number
        return level - sign * (course ? (course[k] as number) : 0)
      }),
      weight: limits.map((_, i) => chance * (problem.weight[k * limits.length + i] as number)),
    }
  }
  /** Back to where the common steps ended, without heat. */
  const back = (): Step => {
    const transition = new Float64Array(size * size)
    place(transition, size, 0, n, unit(n), n)
    place(transition, size, n, n, unit(n), n)
    for (let i = 0; i < n; i++) transition[2 * n * size + i] = share * (problem.final[i] as number)
    transition[size * size - 1] = 1
    const nothing = new Float64Array(size)
    const none = limits.map(() => 0)
    return { transition, gain: nothing, drift: nothing, price: 0, ceiling: 0, slope: 0, level: none, weight: none }
  }
  for (let k = 0; k < commonSteps; k++) steps.push(roomStep(k, null))
  for (const [index, course] of courses.entries()) {
    if (index > 0) steps.push(back())
    for (let k = commonSteps; k < problem.transition.length; k++) steps.push(roomStep(k, course))
  }
  return {
    states: size,
    start: Float64Array.of(...problem.start, ...problem.start, 0),
    transition: steps.map((step) => step.transition),
    gain: steps.map((step) => step.gain),
    drift: steps.map((step) => step.drift),
    price: Float64Array.from(steps, (step) => step.price),
    ceiling: Float64Array.from(steps, (step) => step.ceiling),
    slope: Float64Array.from(steps, (step) => step.slope),
    rows: problem.rows.map((row) => Float64Array.of(...row, ...new Float64Array(n + 1))),
    limits,
    level: Float64Array.from(steps.flatMap((step) => step.level)),
    weight: Float64Array.from(steps.flatMap((step) => step.weight)),
    final: Float64Array.of(...problem.final.map((value) => share * value), ...new Float64Array(n), 1),
  }
}

type Step = {
  transition: Float64Array
  gain: Float64Array
  drift: Float64Array
  price: number
  ceiling: number
  slope: number
  level: number[]
  weight: number[]
}

/** Writes a square of `n` into one of `size`. */
function place(into: Float64Array, size: number, row: number, column: number, square: Float64Array, n: number) {
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) into[(row + i) * size + column + j] = square[i * n + j] as number
}

const unit = (n: number) => Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0))
