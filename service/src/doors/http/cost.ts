import { DAY_MS } from '@hypocaust/domain'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Units of a budget that a request takes; one unless given. */
    cost?: number | ((request: FastifyRequest) => number)
    /** Units on top for each room of the building. */
    costPerRoom?: number
  }
}

/** One unit is about what a poll of the rooms costs the process; routes that were measured to cost more say so. */
export function costOf(request: FastifyRequest): number {
  const { cost = 1 } = request.routeOptions.config
  return typeof cost === 'number' ? cost : cost(request)
}

export const OUTLOOK_COST = 4
/** What the rooms of a building share is read once. */
export const OUTLOOKS_COST = { cost: 4, costPerRoom: 2 }
/** The law looks ahead for each room; nearly every change of a building makes its state anew. */
const ROOMS_A_UNIT_OF_STATE = 4

export const costOfState = (rooms: number): number => Math.floor(rooms / ROOMS_A_UNIT_OF_STATE)

const roomCount = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('rooms')
    .select((eb) => eb.fn.countAll<number>().as('rooms'))
    .where('buildingId', '=', buildingId),
)

/** What a request costs on top for the rooms of the building that it is about, once it is known to reach that. */
export async function costOfRooms(store: Store, request: FastifyRequest, buildingId: string | undefined) {
  const { costPerRoom } = request.routeOptions.config
  if (costPerRoom === undefined || buildingId === undefined) return 0
  const counted = await roomCount.first(store, { buildingId })
  return costPerRoom * Number(counted?.rooms ?? 0)
}

/** Eleven plans of each room, kept for five minutes. */
export const FLEXIBILITY_COST = { cost: 8, costPerRoom: 8 }
/** Of ten usual buildings, of which some are kept. */
export const FLEET_COST = 300

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
