import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain/facts'
import { UsageFailure } from '../failure.ts'

const UNITS: Record<string, number> = { min: MINUTE_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** `23:00`, today or tomorrow; `2026-12-24T18:00`; `2h`, `90min` or `3d` from now. By the clock of this machine. */
export function momentFrom(text: string, nowMs: number): string {
  const ms = afterSpan(text, nowMs) ?? nextClock(text, nowMs) ?? onDate(text)
  if (ms === undefined || Number.isNaN(ms))
    throw new UsageFailure(`${text} is not a time; for example 23:00, 2026-12-24T18:00 or 2h`)
  return new Date(ms).toISOString()
}

/** `1h`, `90min`. */
export function spanOf(text: string): number | undefined {
  const [, number, unit = ''] = /^\+?(\d+(?:[.,]\d+)?)\s*(min|m|h|d)$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number.replace(',', '.')) * (UNITS[unit] ?? 0)
}

function afterSpan(text: string, nowMs: number): number | undefined {
  const spanMs = spanOf(text)
  return spanMs === undefined ? undefined : nowMs + spanMs
}

function nextClock(text: string, nowMs: number): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const at = new Date(nowMs)
  at.setHours(Number(hours), Number(minutes), 0, 0)
  if (at.getTime() <= nowMs) at.setDate(at.getDate() + 1)
  return at.getTime()
}

const onDate = (text: string): number | undefined =>
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?$/.test(text)
    ? Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
    : undefined
