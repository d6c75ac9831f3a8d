/** By how much a shape may be contained in a room's temperature: mean and standard deviation of its factor. */
export interface Factor {
  mean: number
  sd: number
}

export type Part = Factor & { shape: number[] }

/** What remains when all parts are taken away: each sample's own error, and a walk that grows with time. */
interface Noise {
  sampleK: number
  walkKPerRootHour: number
  /** By how much the variance of the walk towards each sample is greater than usual; everywhere 1 where absent. */
  unrest?: number[]
}

/** Samples as a sum of parts and noise, ready to be asked how well a further shape fits. */
export class Evidence {
  readonly #parts: Part[]
  readonly #lower: number[][]
  readonly #rest: number[]

  constructor(samples: number[], timesH: number[], parts: Part[], noise: Noise) {
    this.#parts = parts
    this.#lower = cholesky(covariance(timesH, parts, noise))
    const rest = samples.map(
      (value, i) => value - parts.reduce((sum, part) => sum + part.mean * (part.shape[i] ?? 0), 0),
    )
    this.#rest = solveLower(this.#lower, rest)
  }

  /** How much more probable the samples are with the shape by this factor than by the other, as a logarithm. */
  gain(shape: number[], factor: Factor, other: Factor): number {
    const whitened = solveLower(this.#lower, shape)
    return this.#logWith(whitened, factor) - this.#logWith(whitened, other)
  }

  /** How far each sample is from what those before it lead to expect, in standard deviations. */
  get surprises(): readonly number[] {
    return this.#rest
  }

  /** By how much each sample speaks for a shape rather than for none; in all, its gain with a factor of one. */
  gains(shape: number[]): number[] {
    return solveLower(this.#lower, shape).map((value, i) => value * ((this.#rest[i] as number) - value / 2))
  }

  /** The most probable factor of each part, once a shape has been taken away. */
  factors(shape: number[] | null): number[] {
    const whitened = shape && solveLower(this.#lower, shape)
    const rest = whitened ? this.#rest.map((value, i) => value - (whitened[i] as number)) : this.#rest
    return this.#parts.map((part) => part.mean + part.sd ** 2 * dot(solveLower(this.#lower, part.shape), rest))
  }

  /** The determinant lemma and Sherman and Morrison: one more part costs no new decomposition. */
  #logWith(shape: number[], { mean, sd }: Factor): number {
    const rest = this.#rest.map((value, i) => value - mean * (shape[i] as number))
    const grown = 1 + sd * sd * dot(shape, shape)
    return -0.5 * (dot(rest, rest) - (sd * dot(shape, rest)) ** 2 / grown + Math.log(grown))
  }
}

const dot = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)

/** The lower half. */
function covariance(timesH: number[], parts: Part[], { sampleK, walkKPerRootHour, unrest = [] }: Noise): number[][] {
  let walkedH = 0
  const walkedHs = timesH.map((timeH, i) => {
    walkedH += (unrest[i] ?? 1) * (timeH - (timesH[i - 1] ?? timeH))
    return walkedH
  })
  return timesH.map((_, i) =>
    timesH.slice(0, i + 1).map((_, j) => {
      const walk = walkKPerRootHour ** 2 * (walkedHs[j] as number)
      const own = i === j ? sampleK ** 2 : 0
      return parts.reduce((sum, { shape, sd }) => sum + sd * sd * (shape[i] ?? 0) * (shape[j] ?? 0), walk + own)
    }),
  )
}

/** In place. */
function cholesky(half: number[][]): number[][] {
  for (const [i, row] of half.entries()) {
    for (let j = 0; j <= i; j++) {
      const other = half[j] as number[]
      let sum = row[j] as number
      for (let k = 0; k < j; k++) sum -= (row[k] as number) * (other[k] as number)
      row[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (other[j] as number)
    }
  }
  return half
}

function solveLower(lower: number[][], right: number[]): number[] {
  const solved: number[] = []
  for (const [i, row] of lower.entries()) {
    let sum = right[i] as number
    for (let k = 0; k < i; k++) sum -= (row[k] as number) * (solved[k] as number)
    solved.push(sum / (row[i] as number))
  }
  return solved
}
