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

/** How far a Taylor step of the fifth order may go: its error is then below 1e-8. */
const LONGEST_TAYLOR_STEP = 1 / 8
/** Enough for rates of thousands a second over a day. */
const MOST_DOUBLINGS = 40

export type Discrete = {
  /** e^(A·t). */
  transition: Float64Array
  /** Its integral over t. */
  integral: Float64Array
}

/** A stretch of time in one step, exact: a short Taylor step, doubled as often as the fastest of the rates needs. */
export function discretise(a: Float64Array, n: number, t: number): Discrete {
  const { discrete, doublings } = taylorStep(a, n, t)
  const { integral } = discrete
  let { transition } = discrete
  let spare: Float64Array = new Float64Array(n * n)
  for (let i = 0; i < doublings; i++) {
    addTo(integral, multiply(transition, integral, n, spare))
    const next = multiply(transition, transition, n, spare)
    spare = transition
    transition = next
  }
  return { transition, integral }
}

/** As `discretise`, with the covariance that white noise of the given rates has grown to. */
export function discretiseNoisy(a: Float64Array, n: number, t: number, noise: Float64Array) {
  const { discrete, doublings } = taylorStep(a, n, t)
  const { integral } = discrete
  let { transition } = discrete
  // The mean of both ends, so that no rounding can make it anything but a covariance.
  const early = new Float64Array(n * n)
  for (let i = 0; i < n; i++) early[i * n + i] = ((noise[i] as number) * t) / 2 ** (doublings + 1)
  const grown = carried(transition, early, n)
  addTo(grown, early)
  for (let i = 0; i < doublings; i++) {
    addTo(integral, multiply(transition, integral, n))
    addTo(grown, carried(transition, grown, n))
    transition = multiply(transition, transition, n)
  }
  return { transition, integral, grown }
}

/** T·P·Tᵀ for a symmetric P, and exactly symmetric itself. */
export function carried(t: Float64Array, p: ArrayLike<number>, n: number): Float64Array {
  const half = new Float64Array(n * n)
  for (let i = 0; i < n * n; i += n)
    for (let j = 0; j < n; j++) {
      let sum = 0
      for (let m = 0; m < n; m++) sum += (t[i + m] as number) * (p[j * n + m] as number)
      half[i + j] = sum
    }
  const result = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = i; j < n; j++) {
      let sum = 0
      for (let m = 0; m < n; m++) sum += (half[i * n + m] as number) * (t[j * n + m] as number)
      result[i * n + j] = sum
      result[j * n + i] = sum
    }
  return result
}

function addTo(sum: Float64Array, other: Float64Array) {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (other[i] as number)
}

function taylorStep(a: Float64Array, n: number, t: number): { discrete: Discrete; doublings: number } {
  const needed = Math.ceil(Math.log2((t * largestRowSum(a, n)) / LONGEST_TAYLOR_STEP))
  const doublings = Math.min(MOST_DOUBLINGS, Math.max(0, needed))
  const h = t / 2 ** doublings
  const one = a.map((value) => value * h)
  const two = multiply(one, one, n)
  const three = multiply(two, one, n)
  const four = multiply(two, two, n)
  const five = multiply(three, two, n)
  const transition = identity(n)
  const integral = identity(n)
  for (let i = 0; i < n * n; i++) {
    const start = transition[i] as number
    const [x1, x2, x3] = [one[i] as number, two[i] as number, three[i] as number]
    const [x4, x5] = [four[i] as number, five[i] as number]
    transition[i] = start + x1 + x2 / 2 + x3 / 6 + x4 / 24 + x5 / 120
    integral[i] = h * (start + x1 / 2 + x2 / 6 + x3 / 24 + x4 / 120)
  }
  return { discrete: { transition, integral }, doublings }
}

function largestRowSum(a: Float64Array, n: number): number {
  let largest = 0
  for (let i = 0; i < n * n; i += n) {
    let sum = 0
    for (let j = 0; j < n; j++) sum += Math.abs(a[i + j] as number)
    largest = Math.max(largest, sum)
  }
  return largest
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
