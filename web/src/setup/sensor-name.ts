const SHOWN = 4

/** A sensor by the end of its address, which is printed on many of them. The whole address is for programs. */
export const shortId = (id: string): string =>
  id
    .replace(/[^0-9a-z]/gi, '')
    .slice(-SHOWN)
    .toUpperCase()
