/** What a page about heat can show, as days of the building. */
export const ENERGY_SPANS = ['day', 'month', 'last_month', 'season'] as const
export type EnergySpan = (typeof ENERGY_SPANS)[number]

/** Heating begins in September. */
const SEASON_MONTH = 9

/** First and last day, as 2026-01-31, for a building where it is `today`. */
export function daysOf(span: EnergySpan, today: string): { from: string; to: string } {
  const [year, month] = today.split('-').map(Number) as [number, number]
  switch (span) {
    case 'day':
      return { from: today, to: today }
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today }
    case 'last_month': {
      const last = new Date(Date.UTC(year, month - 1, 0)).toISOString().slice(0, 10)
      return { from: `${last.slice(0, 7)}-01`, to: last }
    }
    case 'season':
      return { from: `${month >= SEASON_MONTH ? year : year - 1}-0${SEASON_MONTH}-01`, to: today }
  }
}
