/** Rows in columns: the first to the left, the others to the right. */
export function columns(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length))) ?? []
  const line = (row: string[]) =>
    row.map((cell, i) => (i < 1 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return rows.map((row) => `  ${line(row)}`).join('\n')
}
