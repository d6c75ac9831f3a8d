/** A table with decimal points, whatever the reader's language. */
export const csvTable = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [columns, ...rows].map(csvLine).join('')

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\n`

/** People name rooms and keys: a name that a spreadsheet would take for a formula is marked as text. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
