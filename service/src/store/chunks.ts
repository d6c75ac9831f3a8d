/** A database takes a limited number of values in one statement. */
const CHUNK = 500

export async function inChunks<T, Row>(values: T[], query: (chunk: T[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (const chunk of chunksOf(values, CHUNK)) rows.push(...(await query(chunk)))
  return rows
}

export const chunksOf = <T>(values: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size))
