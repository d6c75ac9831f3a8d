import { type CoverOrder, LONGEST_ORDER_S, type SourceReport } from '@hypocaust/domain'

export const COVER_COLUMNS = ['coverOrders'] as const

export interface CoverRow {
  /** JSON; null: none is to be moved. */
  coverOrders: string | null
}

/** A cover that is to be down against the sun of a room. */
export interface KeptOrder {
  roomId: string
  name: string
  position: number
  openMs: number
  /** Of the building. */
  dayEndsMs: number
}

export const keptOrdersOf = ({ coverOrders }: CoverRow): KeptOrder[] =>
  coverOrders === null ? [] : JSON.parse(coverOrders)

/** The covers that a gateway can move, as it last reported; null for one that knows nothing of covers. */
export function coversIn({ sourceReport }: { sourceReport: string | null }): string[] | null {
  const covers = sourceReport === null ? undefined : (JSON.parse(sourceReport) as SourceReport).covers
  return covers?.map(({ name }) => name) ?? null
}

/** Those of a building that this gateway works; of several rooms that ask for the same the first counts. */
export function ordersFor(gateway: { sourceReport: string | null }, building: CoverRow): KeptOrder[] | null {
  const orders = keptOrdersOf(building)
  return coversIn(gateway)?.flatMap((name) => orders.find((order) => order.name === name) ?? []) ?? null
}

export const ordersAt = (orders: readonly KeptOrder[], nowMs: number): CoverOrder[] =>
  orders
    .filter(({ openMs }) => openMs > nowMs)
    .map(({ name, position, openMs, dayEndsMs }) => ({
      ...{ name, position, for_s: secondsUntil(openMs, nowMs), day_s: secondsUntil(dayEndsMs, nowMs) },
    }))

/** Bounded, as a gateway refuses the whole command otherwise; what is left is ordered again by then. */
const secondsUntil = (atMs: number, nowMs: number): number =>
  Math.min(LONGEST_ORDER_S, Math.max(0, Math.round((atMs - nowMs) / 1000)))
