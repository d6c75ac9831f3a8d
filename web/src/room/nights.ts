import { HOUR_S } from '@hypocaust/domain/facts'

const NIGHT_FROM = 22
const NIGHT_TO = 6

/** The nights within a span, by the building's clock, wherever one looks from. */
export function nightsIn(fromS: number, toS: number, timeZone: string): { fromS: number; toS: number }[] {
  const hourOf = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone })
  const nights: { fromS: number; toS: number }[] = []
  for (let at = Math.floor(fromS / HOUR_S) * HOUR_S; at < toS; at += HOUR_S) {
    const hour = Number(hourOf.format(at * 1000))
    if (hour >= NIGHT_TO && hour < NIGHT_FROM) continue
    const last = nights.at(-1)
    if (last && last.toS === at) last.toS = at + HOUR_S
    else nights.push({ fromS: at, toS: at + HOUR_S })
  }
  return nights
}
