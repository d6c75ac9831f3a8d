import { DAY_MS } from '@hypocaust/domain'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Units of a budget that a request takes; one unless given. */
    cost?: number | ((request: FastifyRequest) => number)
  }
}

/** One unit is about what a poll of the rooms costs the process; routes that were measured to cost more say so. */
export function costOf(request: FastifyRequest): number {
  const { cost = 1 } = request.routeOptions.config
  return typeof cost === 'number' ? cost : cost(request)
}

export const OUTLOOK_COST = 4
/** Of a house of usual size; what its rooms share is read once. */
export const OUTLOOKS_COST = 12

const DAY_COST = 4
const DAYS_A_UNIT = 14
const MOST_DAYS = 3 * 366

/** Of what is read of the past: more the longer it is. The query has not been checked yet. */
export const costOfSpan =
  (clock: Clock) =>
  ({ query }: FastifyRequest): number => {
    const { from, to } = (query ?? {}) as { from?: unknown; to?: unknown }
    const days = ((msOf(to) ?? clock.now()) - (msOf(from) ?? Number.NaN)) / DAY_MS
    return days > 0 ? DAY_COST + Math.floor(Math.min(MOST_DAYS, days) / DAYS_A_UNIT) : DAY_COST
  }

/** A day, a time, or seconds since 1970. */
function msOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  return /^\d{5,}$/.test(text) ? 1000 * Number(text) : Date.parse(text)
}
