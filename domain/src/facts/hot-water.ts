/** What the source of hot water can be asked for: a charge to its own temperature, or a disinfection. */
export const HOT_WATER_ORDERS = ['charge', 'disinfect'] as const
export type HotWaterOrder = (typeof HOT_WATER_ORDERS)[number]

export const TANK_L = { minimum: 50, maximum: 2000 }
/** Celsius to which the source heats the tank. Legionella grow between 25 and 45 °C, and die from 55 °C on. */
export const HOT_WATER_C = { minimum: 45, maximum: 65, usual: 53 }
export const TAP_C = { minimum: 38, maximum: 55, usual: 42 }
export const DISINFECTION_C = { minimum: 60, maximum: 70 }
export const PEOPLE = { minimum: 1, maximum: 20, usual: 3 }
/** A tank has to be this much hotter than the water at the tap, or every shower would need a charge. */
export const ABOVE_TAP_K = 5
/** Below this only with a disinfection every week. */
export const LEAST_ALONE_C = 50
/** From here on legionella do not multiply, and skin is burnt within seconds. */
export const SAFE_C = 60
/** By DVGW W 551 a larger tank is held at 60 °C. */
export const LARGE_TANK_L = 400

interface Tank {
  volume_l: number
  tap_temperature: number
  disinfection: number | null
}

/** How hot a tank has to be at least, and why. */
export function leastTank({ volume_l, tap_temperature, disinfection }: Tank) {
  const reasons = [
    { leastC: tap_temperature + ABOVE_TAP_K, why: 'tap' as const },
    { leastC: disinfection === null ? LEAST_ALONE_C : HOT_WATER_C.minimum, why: 'legionella' as const },
    { leastC: volume_l > LARGE_TANK_L ? SAFE_C : HOT_WATER_C.minimum, why: 'large' as const },
  ]
  return reasons.reduce((most, each) => (each.leastC > most.leastC ? each : most))
}

/** What the people of a building should know of their settings. */
export const HOT_WATER_NOTICES = ['legionella', 'disinfection_unproven', 'scalding', 'not_asked', 'no_sensor'] as const
export type HotWaterNotice = (typeof HOT_WATER_NOTICES)[number]

/** What is wrong with the hot water now. */
export const HOT_WATER_PROBLEMS = ['too_cold', 'disinfection_overdue'] as const
export type HotWaterProblem = (typeof HOT_WATER_PROBLEMS)[number]
