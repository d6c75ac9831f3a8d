import { saturatedAtC, vapourHpa } from '@hypocaust/domain/facts'
import type { Air } from '../air/exchange.ts'
import type { Hours } from './types.ts'

/** As far as any plan looks. */
const HOURS_AHEAD = 50
/** The vapour of a room follows that outdoors so slowly: air comes in through joints, and materials give and take. */
const FOLLOWS_H = 4
const LEAST_HPA = 1

/**
 * The dew point of a room in the coming hours: its vapour now, and what that outdoors adds or takes. What people will add is
 * not known; the margin is for that. `outdoors` begins with now, and beyond its end nothing changes.
 */
export function expectedDewC(room: Air, outdoors: readonly Air[], nowMs: number): Hours {
  const hpaOf = ({ airC, humidityPct }: Air) => vapourHpa(airC, humidityPct)
  const roomHpa = hpaOf(room)
  const firstHpa = outdoors[0] ? hpaOf(outdoors[0]) : 0
  const share = 1 - Math.exp(-1 / FOLLOWS_H)
  let followedHpa = firstHpa
  const hourly = Array.from({ length: HOURS_AHEAD }, (_, hour) => {
    const dewC = saturatedAtC(Math.max(LEAST_HPA, roomHpa + followedHpa - firstHpa))
    const outdoor = outdoors[Math.min(hour, outdoors.length - 1)]
    if (outdoor) followedHpa += share * (hpaOf(outdoor) - followedHpa)
    return dewC
  })
  return { startMs: nowMs, hourly }
}

/** The highest of several rooms in each hour; null of none. */
export function highestOf(rooms: readonly Hours[]): Hours | null {
  const [first] = rooms
  if (!first) return null
  const hourly = first.hourly.map((_, hour) => Math.max(...rooms.map((room) => room.hourly[hour] as number)))
  return { startMs: first.startMs, hourly }
}

/** Kelvin above the dew point at which water is asked for: half a kelvin more than it needs to flow. */
const WATER_ABOVE_DEW_K = 2.5
/** Colder water gains little, and water that is warmer than any room none. */
const COOL_WATER_C = { least: 16, most: 30 }
const STEP_K = 0.5

/** The water that is asked for in each hour: as cold as the dampest room allows. */
export const waterAbove = ({ startMs, hourly }: Hours): Hours => ({
  startMs,
  hourly: hourly.map((dewC) => {
    const askedC = Math.ceil((dewC + WATER_ABOVE_DEW_K) / STEP_K) * STEP_K
    return Math.min(COOL_WATER_C.most, Math.max(COOL_WATER_C.least, askedC))
  }),
})
