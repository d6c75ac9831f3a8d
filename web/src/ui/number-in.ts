/** With a comma or a point, whatever the language. */
export function numberIn(text: string): number | undefined {
  const plain = text.trim().replace(',', '.').replace('−', '-')
  return /^-?\d+(\.\d*)?$/.test(plain) ? Number(plain) : undefined
}
