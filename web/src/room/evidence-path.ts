export const WIDTH = 600
export const HEIGHT = 160
/** Kept free above and below. */
const EDGE = 4
/** A room that hardly changes is not drawn as a mountain. */
const LEAST_SPAN_K = 0.5

/** Where nothing was heard, the line is broken. */
export function pathOf(values: (number | null)[], least: number, most: number): string {
  const span = Math.max(LEAST_SPAN_K, most - least)
  let isDrawing = false
  return values
    .map((value, i) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const x = (WIDTH * i) / Math.max(1, values.length - 1)
      const y = HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - least)) / span
      const command = isDrawing ? 'L' : 'M'
      isDrawing = true
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
