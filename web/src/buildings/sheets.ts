export const LINE_REM = 6
export const GAP_REM = 0.75
export const ROW_REM = LINE_REM + GAP_REM

/** Rows that are laid out and painted together: what scrolls into view costs the others nothing. */
export const SHEET_ROWS = 10
export const SHEET_REM = SHEET_ROWS * ROW_REM

export interface Sheet<T> {
  number: number
  items: T[]
}

export const cut = <T>(items: T[], size: number): Sheet<T>[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, number) => ({
    number,
    items: items.slice(number * size, (number + 1) * size),
  }))
