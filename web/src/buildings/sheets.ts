/** Rows that are made, laid out and painted together: a change in one sheet costs the others nothing. */
export const SHEET_ROWS = 10

/** From the first sheet, to before the last one. */
export type Range = readonly [first: number, end: number]

/** With those on the screen; after a jump, such as one to the end of the page, only those. */
export function shown(inPage: Range, onScreen: Range, sheets: number): Range {
  const within = (sheet: number) => Math.min(Math.max(sheet, 0), sheets)
  const [first, end] = [within(onScreen[0]), within(onScreen[1])]
  return first >= inPage[0] && end <= inPage[1] ? inPage : [first, end]
}

/** One sheet more, below before above: that is where most people go. The same range once all are there. */
export function grown(inPage: Range, sheets: number): Range {
  const [first, end] = inPage
  if (end < sheets) return [first, end + 1]
  return first > 0 ? [first - 1, end] : inPage
}

export interface Sheet<T> {
  number: number
  items: T[]
}

export const cut = <T>(items: T[], size: number): Sheet<T>[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, number) => ({
    number,
    items: items.slice(number * size, (number + 1) * size),
  }))
