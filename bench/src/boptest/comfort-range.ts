/** BOPTEST's occupants and the range their operative temperature shall stay in; the year begins on a Tuesday. */
export type ComfortRange = { people: number; lowC: number; highC: number }

const FAMILY = 5

export function comfortAt(yearS: number): ComfortRange {
  const hour = (yearS % 86_400) / 3600
  const weekday = (Math.floor(yearS / 86_400) + 1) % 7
  const isHome = hour < 7 || hour >= 20 || weekday >= 5
  return isHome ? { people: FAMILY, lowC: 21, highC: 24 } : { people: 0, lowC: 15, highC: 30 }
}
