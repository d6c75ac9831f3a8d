/** Data for a program with --json, a table for a person without. */
export function printRows<Row extends object>(
  rows: Row[],
  { json, empty }: { json: boolean | undefined; empty: string },
): void {
  if (json) {
    printJson(rows)
  } else if (rows.length === 0) {
    console.log(empty)
  } else {
    console.log(tableOf(rows))
  }
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))

function tableOf<Row extends object>(rows: Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((column) => String((row as Record<string, unknown>)[column] ?? '–')))
  const widths = columns.map((name, i) => Math.max(name.length, ...cells.map((line) => line[i]?.length ?? 0)))
  const lineOf = (line: string[]) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [columns, ...cells].map(lineOf).join('\n')
}
