const DRAG_PX = 6

/** The moments under the fingers stay under them; undefined while they have hardly moved. */
export function spanUnder(
  fingers: { startX: number; x: number }[],
  { fromS, toS }: { fromS: number; toS: number },
  widthPx: number,
): [fromS: number, toS: number] | undefined {
  const [one, two] = fingers
  const lengthS = toS - fromS
  if (!one || (!two && Math.abs(one.x - one.startX) < DRAG_PX)) return undefined
  if (!two) {
    const byS = ((one.startX - one.x) / widthPx) * lengthS
    return [fromS + byS, toS + byS]
  }
  const [apartBefore, apart] = [Math.abs(one.startX - two.startX), Math.abs(one.x - two.x)]
  if (apartBefore === 0 || apart === 0) return undefined
  const nextS = (lengthS * apartBefore) / apart
  const middleBefore = (one.startX + two.startX) / 2 / widthPx
  const middle = (one.x + two.x) / 2 / widthPx
  const heldS = fromS + middleBefore * lengthS
  return [heldS - middle * nextS, heldS + (1 - middle) * nextS]
}
