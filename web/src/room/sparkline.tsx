const WIDTH = 72
const HEIGHT = 28

/** The last twelve hours, the size of a word. It says nothing that is not also said otherwise. */
export function Sparkline({ values }: { values: (number | null)[] | undefined }) {
  const known = (values ?? []).flatMap((value, i) => (value === null ? [] : [{ i, value }]))
  if (known.length < 2 || !values) return <span className="h-7" />
  const low = Math.min(...known.map(({ value }) => value))
  const high = Math.max(...known.map(({ value }) => value))
  // A quiet room is a quiet line: small noise is not blown up to fill the height.
  const span = Math.max(high - low, 1.5)
  const middle = (low + high) / 2
  const points = known.map(({ i, value }) => {
    const x = (i / (values.length - 1)) * (WIDTH - 4) + 2
    const y = HEIGHT / 2 - ((value - middle) / span) * (HEIGHT - 6)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-7 w-18 min-w-0 shrink text-faint">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
