/** The name in the code of a column. */
export const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export type RowMaker<Row> = (values: unknown[]) => Row

/** Makes the value of the code from a text of the database. */
type ParseText = (text: string) => unknown

/**
 * Makes rows with the names of the code from values in the order of the columns, parsed where a parser is given. As a
 * function of its own for each statement all its rows have one shape from the start, which costs a third of setting one
 * name after the other.
 */
export function rowMaker<Row>(columns: string[], parsers: (ParseText | undefined)[] = []): RowMaker<Row> {
  const value = (i: number) =>
    parsers[i] ? `values[${i}] === null ? null : parsers[${i}](values[${i}])` : `values[${i}]`
  const entries = columns.map((name, i) => `${JSON.stringify(camelCase(name))}: ${value(i)}`)
  return new Function('parsers', `return (values) => ({ ${entries.join(', ')} })`)(parsers)
}
