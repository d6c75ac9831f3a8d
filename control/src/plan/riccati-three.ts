import { type HeatProblem, stepsOf } from './heat-problem.ts'
import type { Policy, Quadratic, Steps } from './riccati.ts'

/** As `backward` for three states, written out: the value stays in registers, and is symmetric. */
export function backwardOfThree(problem: HeatProblem, quadratic: Quadratic, { feedback, constant }: Policy) {
  const { rows, transition, gain, slope, final } = problem
  const { open, rowCurve, rowPull, lowCurve, lowPull, highCurve, highPull } = quadratic
  const steps = stepsOf(problem)
  let s0 = final[0] as number
  let s1 = final[1] as number
  let s2 = final[2] as number
  let v00 = 0
  let v01 = 0
  let v02 = 0
  let v11 = 0
  let v12 = 0
  let v22 = 0
  for (let k = steps - 1; k >= 0; k--) {
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r] as Float64Array
      const r0 = row[0] as number
      const r1 = row[1] as number
      const r2 = row[2] as number
      const curve = rowCurve[r * steps + k] as number
      const pull = rowPull[r * steps + k] as number
      s0 += pull * r0
      s1 += pull * r1
      s2 += pull * r2
      v00 += curve * r0 * r0
      v01 += curve * r0 * r1
      v02 += curve * r0 * r2
      v11 += curve * r1 * r1
      v12 += curve * r1 * r2
      v22 += curve * r2 * r2
    }
    const a = transition[k] as Float64Array
    const a00 = a[0] as number
    const a01 = a[1] as number
    const a02 = a[2] as number
    const a10 = a[3] as number
    const a11 = a[4] as number
    const a12 = a[5] as number
    const a20 = a[6] as number
    const a21 = a[7] as number
    const a22 = a[8] as number
    const b = gain[k] as Float64Array
    const b0 = b[0] as number
    const b1 = b[1] as number
    const b2 = b[2] as number
    // The value times gain, and times transition.
    const g0 = v00 * b0 + v01 * b1 + v02 * b2
    const g1 = v01 * b0 + v11 * b1 + v12 * b2
    const g2 = v02 * b0 + v12 * b1 + v22 * b2
    const m00 = v00 * a00 + v01 * a10 + v02 * a20
    const m01 = v00 * a01 + v01 * a11 + v02 * a21
    const m02 = v00 * a02 + v01 * a12 + v02 * a22
    const m10 = v01 * a00 + v11 * a10 + v12 * a20
    const m11 = v01 * a01 + v11 * a11 + v12 * a21
    const m12 = v01 * a02 + v11 * a12 + v12 * a22
    const m20 = v02 * a00 + v12 * a10 + v22 * a20
    const m21 = v02 * a01 + v12 * a11 + v22 * a21
    const m22 = v02 * a02 + v12 * a12 + v22 * a22
    const heatSlope = b0 * s0 + b1 * s1 + b2 * s2
    // One step earlier, had no heat been given.
    v00 = a00 * m00 + a10 * m10 + a20 * m20
    v01 = a00 * m01 + a10 * m11 + a20 * m21
    v02 = a00 * m02 + a10 * m12 + a20 * m22
    v11 = a01 * m01 + a11 * m11 + a21 * m21
    v12 = a01 * m02 + a11 * m12 + a21 * m22
    v22 = a02 * m02 + a12 * m12 + a22 * m22
    const e0 = a00 * s0 + a10 * s1 + a20 * s2
    const e1 = a01 * s0 + a11 * s1 + a21 * s2
    const e2 = a02 * s0 + a12 * s1 + a22 * s2
    s0 = e0
    s1 = e1
    s2 = e2
    if (!open[k]) continue
    const fall = slope[k] as number
    const ceilingCurve = (highCurve[k] as number) * fall
    const c0 = ceilingCurve + a00 * g0 + a10 * g1 + a20 * g2
    const c1 = a01 * g0 + a11 * g1 + a21 * g2
    const c2 = a02 * g0 + a12 * g1 + a22 * g2
    const inverse = 1 / ((lowCurve[k] as number) + (highCurve[k] as number) + b0 * g0 + b1 * g1 + b2 * g2)
    const step = -((lowPull[k] as number) + (highPull[k] as number) + heatSlope) * inverse
    const f0 = -c0 * inverse
    const f1 = -c1 * inverse
    const f2 = -c2 * inverse
    constant[k] = step
    feedback[3 * k] = f0
    feedback[3 * k + 1] = f1
    feedback[3 * k + 2] = f2
    s0 += step * c0 + (highPull[k] as number) * fall
    s1 += step * c1
    s2 += step * c2
    v00 += f0 * c0 + ceilingCurve * fall
    v01 += f0 * c1
    v02 += f0 * c2
    v11 += f1 * c1
    v12 += f1 * c2
    v22 += f2 * c2
  }
}

/** As `forward`. */
export function forwardOfThree(
  { transition, gain, rows }: HeatProblem,
  { feedback, constant }: Policy,
  { heatStep, pathStep, rowStep }: Steps,
) {
  const steps = heatStep.length
  let x0 = 0
  let x1 = 0
  let x2 = 0
  for (let k = 0; k < steps; k++) {
    const at = 3 * k
    const step =
      (constant[k] as number) +
      (feedback[at] as number) * x0 +
      (feedback[at + 1] as number) * x1 +
      (feedback[at + 2] as number) * x2
    heatStep[k] = step
    const a = transition[k] as Float64Array
    const b = gain[k] as Float64Array
    const y0 = (b[0] as number) * step + (a[0] as number) * x0 + (a[1] as number) * x1 + (a[2] as number) * x2
    const y1 = (b[1] as number) * step + (a[3] as number) * x0 + (a[4] as number) * x1 + (a[5] as number) * x2
    const y2 = (b[2] as number) * step + (a[6] as number) * x0 + (a[7] as number) * x1 + (a[8] as number) * x2
    pathStep[at + 3] = y0
    pathStep[at + 4] = y1
    pathStep[at + 5] = y2
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r] as Float64Array
      rowStep[r * steps + k] = (row[0] as number) * y0 + (row[1] as number) * y1 + (row[2] as number) * y2
    }
    x0 = y0
    x1 = y1
    x2 = y2
  }
}
