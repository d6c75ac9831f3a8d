/** A database takes a limited number of values in one statement. */
const CHUNK = 500

export async function inChunks<T, Row>(values: T[], query: (chunk: T[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = 0; from < values.length; from += CHUNK) rows.push(...(await query(values.slice(from, from + CHUNK))))
  return rows
}
