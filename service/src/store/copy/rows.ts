import { hash } from 'node:crypto'

export interface TableShape {
  name: string
  columns: string[]
  key: string[]
}

/** What a column holds, where the engines write the same thing in two ways. */
export type ColumnKind = 'time' | 'flag' | 'plain'
export type Row = Record<string, unknown>

/** The same for the same row, whichever engine it was read from. */
export function canonical(value: unknown, kind: ColumnKind): string | number | boolean | null {
  if (value === null || value === undefined) return null
  if (kind === 'time') return (value instanceof Date ? value : new Date(value as string | number)).toISOString()
  if (kind === 'flag') return Boolean(Number(value))
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`a value of type ${typeof value} cannot be copied`)
}

const LANES = 4
const LANE_BYTES = 4

/** A checksum of rows in whatever order they come: the sum of their hashes. */
export class Checksum {
  rows = 0
  readonly #lanes = new Uint32Array(LANES)

  add(values: (string | number | boolean | null)[]): void {
    const digest = hash('sha256', JSON.stringify(values), 'buffer')
    for (let lane = 0; lane < LANES; lane++) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + digest.readUInt32BE(lane * LANE_BYTES)
    }
    this.rows++
  }

  toString(): string {
    return [...this.#lanes].map((lane) => lane.toString(16).padStart(2 * LANE_BYTES, '0')).join('')
  }
}
