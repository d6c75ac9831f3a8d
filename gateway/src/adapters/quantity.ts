/** A number with what follows it, its unit or any other text. */
export interface Quantity {
  value: number
  unit: string
}

const QUANTITY = /^([-+]?\d+)(?:[.,](\d+))?\s*([^\d\s.,][^\d]*)?$/

/** `21.4`, `21,4`, `21.4 °C`; nothing where the text has a second number, as a time or a date does. */
export function quantityIn(text: string): Quantity | undefined {
  const match = QUANTITY.exec(text.trim())
  if (!match) return undefined
  const [, whole, part = '0', unit = ''] = match
  return { value: Number(`${whole}.${part}`), unit: unit.trim() }
}
