import { isNumber } from './adapter.ts'

const EARLIEST_MS = Date.parse('2015-01-01T00:00:00Z')
const LATEST_MS = Date.parse('2200-01-01T00:00:00Z')
const MILLISECONDS_FROM = 100_000_000_000

/** A time as devices write it: seconds or milliseconds since 1970, or a text with its zone. Null when it has none. */
export function timeOf(value: unknown): number | null {
  const ms = isNumber(value) ? (value >= MILLISECONDS_FROM ? value : value * 1000) : textTime(value)
  return ms !== undefined && ms >= EARLIEST_MS && ms <= LATEST_MS ? Math.round(ms) : null
}

function textTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{10}(?:\.\d+)?$|^\d{13}$/.test(value)) return timeOf(Number(value)) ?? undefined
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/.test(value)) return undefined
  const ms = Date.parse(value.replace(' ', 'T'))
  return Number.isNaN(ms) ? undefined : ms
}
