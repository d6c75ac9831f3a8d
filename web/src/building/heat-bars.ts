import type { BuildingEnergy, RoomEnergy } from '@hypocaust/domain'

/** A day or a month: what each room took, in the order of the rooms given. */
export interface HeatBar {
  /** As 2026-01-10, or 2026-01 of a month. */
  name: string
  parts: number[]
  total: number
}

/** More days than this are drawn as months. */
const MOST_DAYS = 45

const heatIn = ({ days }: RoomEnergy, name: string): number =>
  days.reduce((sum, { day, heat, heat_per_m2 }) => (day.startsWith(name) ? sum + (heat ?? heat_per_m2) : sum), 0)

/** Every day of a span, also those without heat; of a long one every month. */
export function barsOf({ from, to }: Pick<BuildingEnergy, 'from' | 'to'>, rooms: RoomEnergy[]): HeatBar[] {
  const days = daysBetween(from, to)
  const names = days.length > MOST_DAYS ? [...new Set(days.map((day) => day.slice(0, 7)))] : days
  return names.map((name) => {
    const parts = rooms.map((room) => heatIn(room, name))
    return { name, parts, total: parts.reduce((sum, part) => sum + part, 0) }
  })
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** By how much more or less was taken than on the first so many days of the span before; null where that is not known. */
export function comparedTo(now: BuildingEnergy, before: BuildingEnergy | undefined): number | null {
  if (!before) return null
  const counted = new Set(now.rooms.flatMap(({ days }) => days.map(({ day }) => day.slice(8))))
  const sum = ({ rooms }: BuildingEnergy) =>
    rooms.reduce(
      (total, { days }) =>
        days.reduce((part, { day, heat }) => (counted.has(day.slice(8)) ? part + (heat ?? 0) : part), total),
      0,
    )
  const countedBefore = new Set(before.rooms.flatMap(({ days }) => days.map(({ day }) => day.slice(8))))
  if ([...counted].some((day) => !countedBefore.has(day))) return null
  const earlier = sum(before)
  return earlier > 0 ? sum(now) / earlier - 1 : null
}
