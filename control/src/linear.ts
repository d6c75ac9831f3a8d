/** Small dense matrices, row-major in flat arrays. */
export function identity(n: number): Float64Array {
  const result = new Float64Array(n * n)
  for (let i = 0; i < n; i++) result[i * n + i] = 1
  return result
}

export function multiply(
  a: Float64Array,
  b: Float64Array,
  n: number,
  into: Float64Array = new Float64Array(n * n),
): Float64Array {
  for (let i = 0; i < n * n; i += n)
    for (let j = 0; j < n; j++) {
      let sum = 0
      for (let m = 0; m < n; m++) sum += (a[i + m] as number) * (b[m * n + j] as number)
      into[i + j] = sum
    }
  return into
}

export function apply(a: Float64Array, x: ArrayLike<number>, n: number): Float64Array {
  const result = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < n; j++) sum += (a[i * n + j] as number) * (x[j] as number)
    result[i] = sum
  }
  return result
}

/** e^(A·t) and its integral over t, by doubling a short Taylor step. */
export function discretise(
  a: Float64Array,
  n: number,
  t: number,
): { transition: Float64Array; integral: Float64Array } {
  const doublings = 10
  const h = t / 2 ** doublings
  const scaled = a.map((value) => value * h)
  const squared = multiply(scaled, scaled, n)
  let transition: Float64Array = identity(n)
  const integral = identity(n)
  for (let i = 0; i < n * n; i++) {
    const [one, first, second] = [transition[i] as number, scaled[i] as number, squared[i] as number]
    transition[i] = one + first + second / 2
    integral[i] = h * (one + first / 2 + second / 6)
  }
  let spare: Float64Array = new Float64Array(n * n)
  for (let i = 0; i < doublings; i++) {
    const later = multiply(transition, integral, n, spare)
    for (let j = 0; j < n * n; j++) integral[j] = (integral[j] as number) + (later[j] as number)
    const doubled = multiply(transition, transition, n, spare)
    spare = transition
    transition = doubled
  }
  return { transition, integral }
}

/** Solves the symmetric positive definite A·x = b by Cholesky; null when A is not. */
export function solveSymmetric(a: Float64Array, b: Float64Array, n: number): Float64Array | null {
  const lower = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j] as number
      for (let m = 0; m < j; m++) sum -= (lower[i * n + m] as number) * (lower[j * n + m] as number)
      if (i !== j) lower[i * n + j] = sum / (lower[j * n + j] as number)
      else if (sum <= 0 || !Number.isFinite(sum)) return null
      else lower[i * n + i] = Math.sqrt(sum)
    }
  const x = Float64Array.from(b)
  for (let i = 0; i < n; i++) {
    for (let m = 0; m < i; m++) x[i] = (x[i] as number) - (lower[i * n + m] as number) * (x[m] as number)
    x[i] = (x[i] as number) / (lower[i * n + i] as number)
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let m = i + 1; m < n; m++) x[i] = (x[i] as number) - (lower[m * n + i] as number) * (x[m] as number)
    x[i] = (x[i] as number) / (lower[i * n + i] as number)
  }
  return x
}
