/** The name in the code of a column. */
export const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export type RowMaker<Row> = (values: unknown[]) => Row

/**
 * Makes rows with the names of the code from values in the order of the columns. As a function of its own for each
 * statement all its rows have one shape from the start, which costs a third of setting one name after the other.
 */
export function rowMaker<Row>(columns: string[]): RowMaker<Row> {
  const entries = columns.map((name, i) => `${JSON.stringify(camelCase(name))}: values[${i}]`)
  return new Function('values', `return { ${entries.join(', ')} }`) as RowMaker<Row>
}
