/** Rows that are laid out and painted together: what scrolls into view costs the others nothing. */
export const SHEET_ROWS = 10

export interface Sheet<T> {
  number: number
  items: T[]
}

export const cut = <T>(items: T[], size: number): Sheet<T>[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, number) => ({
    number,
    items: items.slice(number * size, (number + 1) * size),
  }))
