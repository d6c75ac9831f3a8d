/** Median and quartiles of what the rounds gave. */
export interface Figure {
  median: number
  low: number
  high: number
}

export function figureOf(values: number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

export interface Contestant {
  name: string
  /** One short round; what it gives is compared with what the others give in the same turn. */
  round(): Promise<number>
}

/** Every contestant in every turn, in changing order: whatever else the machine does meets all of them. */
export async function alternate(contestants: Contestant[], turns: number): Promise<Map<string, number[]>> {
  const values = new Map(contestants.map(({ name }) => [name, [] as number[]]))
  for (const { round } of contestants) await round()
  for (let turn = 0; turn < turns; turn++)
    for (const { name, round } of turn % 2 === 0 ? contestants : contestants.toReversed())
      values.get(name)?.push(await round())
  return values
}

/** Turn by turn: a slow moment of the machine is in both. */
export const ratioOf = (values: Map<string, number[]>, name: string, to: string): Figure =>
  figureOf((values.get(name) ?? []).map((value, turn) => (values.get(to)?.[turn] ?? Number.NaN) / value))
