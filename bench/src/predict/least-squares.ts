/** Least squares with examples that arrive one after the other; a little ridge keeps unlike features apart. */
export class LeastSquares {
  private readonly size: number
  private readonly matrix: Float64Array
  private readonly right: Float64Array
  private squares = 0
  count = 0

  constructor(size: number) {
    this.size = size
    this.matrix = new Float64Array(size * size)
    this.right = new Float64Array(size)
  }

  add(features: number[], value: number) {
    const { size, matrix, right } = this
    for (let i = 0; i < size; i++) {
      const feature = features[i] as number
      right[i] = (right[i] as number) + feature * value
      for (let j = 0; j < size; j++)
        matrix[i * size + j] = (matrix[i * size + j] as number) + feature * (features[j] as number)
    }
    this.squares += value * value
    this.count += 1
  }

  /** The weights, and the mean square of what they leave over; null before there are enough examples. */
  solve(): { weights: number[]; leftOver: number } | null {
    const { size, count } = this
    if (count < 4 * size) return null
    const weights = solved(this.ridged(), this.right, size)
    const explained = weights.reduce((sum, weight, i) => sum + weight * (this.right[i] as number), 0)
    return { weights, leftOver: (this.squares - explained) / count }
  }

  private ridged(): Float64Array {
    const { size, count } = this
    return this.matrix.map((value, at) => (at % (size + 1) === 0 ? value * (1 + 1e-6) + 1e-6 * count : value))
  }
}

export const dot = (weights: number[], features: number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * (features[i] as number), 0)

/** Gauss with the largest pivot of the column. */
function solved(given: Float64Array, givenRight: Float64Array, size: number): number[] {
  const rows = Array.from({ length: size }, (_, i) => [
    ...given.slice(i * size, (i + 1) * size),
    givenRight[i] as number,
  ])
  for (let column = 0; column < size; column++) {
    const pivot = largestBelow(rows, column)
    ;[rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]]
    const top = rows[column] as number[]
    for (const row of rows.slice(column + 1)) {
      const factor = (row[column] as number) / (top[column] as number)
      for (let j = column; j <= size; j++) row[j] = (row[j] as number) - factor * (top[j] as number)
    }
  }
  const weights = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i--) {
    const row = rows[i] as number[]
    let sum = row[size] as number
    for (let j = i + 1; j < size; j++) sum -= (row[j] as number) * (weights[j] as number)
    weights[i] = sum / (row[i] as number)
  }
  return weights
}

function largestBelow(rows: number[][], column: number): number {
  let best = column
  for (let i = column + 1; i < rows.length; i++)
    if (Math.abs(rows[i]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = i
  return best
}
