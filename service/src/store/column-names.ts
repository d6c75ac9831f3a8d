/** The name in the code of a column. */
export const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A row with the names of the code, from its values in the order of the columns. */
export function rowOf<Row>(names: string[], values: unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i]
  return row as Row
}
