import { HOUR_S } from '@hypocaust/domain/facts'

interface Size {
  width: number
  height: number
}

type Values = (number | null)[]

/** A quiet room is a quiet line: less than this is not blown up to fill the height. */
const LEAST_SPAN_K = 3
/** Full power fills this share of the height. */
const POWER_SHARE = 0.5

export function rangeOf(values: Values): { low: number; high: number } | undefined {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? undefined : { low: Math.min(...known), high: Math.max(...known) }
}

/** A line with a gap wherever a value is missing for more than a few steps. */
export function lineOf(values: Values, { width, height }: Size): string {
  const range = rangeOf(values)
  if (!range) return ''
  const middle = (range.low + range.high) / 2
  const span = Math.max(LEAST_SPAN_K, (range.high - range.low) * 1.2)
  const x = (i: number) => (i / Math.max(1, values.length - 1)) * width
  const y = (value: number) => height / 2 - ((value - middle) / span) * height
  let path = ''
  let last = Number.NEGATIVE_INFINITY
  values.forEach((value, i) => {
    if (value === null) return
    path += `${i - last > MOST_MISSING ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`
    last = i
  })
  return path
}

const MOST_MISSING = 6

/** Steps from the bottom, as high as the power. */
export function areaOf(values: Values, { width, height }: Size): string {
  const step = width / Math.max(1, values.length)
  return values
    .map((value, i) => {
      if (!value) return ''
      const tall = value * height * POWER_SHARE
      return `M${(i * step).toFixed(1)} ${height}v${(-tall).toFixed(1)}h${step.toFixed(1)}v${tall.toFixed(1)}z`
    })
    .join('')
}

/** Full hours of the building's clock, every so many seconds. */
export function ticksIn(fromS: number, toS: number, everyS: number, timeZone: string): number[] {
  const hourOf = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone })
  const ticks: number[] = []
  for (let atS = Math.ceil(fromS / HOUR_S) * HOUR_S; atS < toS; atS += HOUR_S) {
    if ((Number(hourOf.format(atS * 1000)) * HOUR_S) % everyS === 0) ticks.push(atS)
  }
  return ticks
}
