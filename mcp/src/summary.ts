import type { History } from '@hypocaust/client'

type Point = History['points'][number]

interface Figures {
  min: number
  mean: number
  max: number
}

/** A stretch of a room's past in a few figures; null where nothing is known. */
export interface Stretch {
  from: string
  temperature: Figures | null
  setpoint: Figures | null
  outdoor_temperature: Figures | null
  humidity: Figures | null
  /** Mean share of the time in which the valve was open. */
  mean_power: number | null
  hours_heated: number
}

export interface Summary extends Stretch {
  to: string
  /** The last temperature measured in the span. */
  last: { at: string; temperature: number } | null
  /** The same figures hour by hour up to a day, else for each 24 hours. */
  stretches: Stretch[]
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What an assistant needs of a history: a year of points would fill its memory. */
export function summaryOf({ step_s, points }: History, from: Date, to: Date): Summary {
  const lengthMs = to.getTime() - from.getTime() <= DAY_MS ? HOUR_MS : DAY_MS
  const slices = Map.groupBy(points, ({ at }) => Math.floor((Date.parse(at) - from.getTime()) / lengthMs))
  const measured = points.findLast(({ temperature }) => temperature !== null)
  return {
    ...stretchOf(points, step_s, from),
    to: to.toISOString(),
    last: measured ? { at: measured.at, temperature: Number(measured.temperature) } : null,
    stretches: [...slices]
      .sort(([a], [b]) => a - b)
      .map(([index, slice]) => stretchOf(slice, step_s, new Date(from.getTime() + index * lengthMs))),
  }
}

function stretchOf(points: Point[], stepS: number, from: Date): Stretch {
  const figures = (of: (point: Point) => number | null) => figuresOf(points.map(of))
  const powers = points.flatMap(({ power }) => power ?? [])
  return {
    from: from.toISOString(),
    temperature: figures(({ temperature }) => temperature),
    setpoint: figures(({ setpoint }) => setpoint),
    outdoor_temperature: figures((point) => point.outdoor_temperature),
    humidity: figures(({ humidity }) => humidity),
    mean_power: figuresOf(powers)?.mean ?? null,
    hours_heated: rounded((powers.filter((power) => power > 0).length * stepS) / 3600),
  }
}

function figuresOf(values: (number | null)[]): Figures | null {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  const sum = known.reduce((total, value) => total + value, 0)
  const extreme = (pick: (a: number, b: number) => number) => rounded(known.reduce((a, b) => pick(a, b)))
  return { min: extreme(Math.min), mean: rounded(sum / known.length), max: extreme(Math.max) }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
