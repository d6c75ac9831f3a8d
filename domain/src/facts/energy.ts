/** How firmly rooms are held at their setpoint when heat is expensive. */
export const COMFORTS = ['comfort_first', 'balanced', 'saving'] as const
export const TARIFF_KINDS = ['fixed', 'times', 'market', 'gateway'] as const
export const HEAT_SOURCES = ['boiler', 'heat_pump', 'district', 'electric'] as const
/** By what right the grid limits the heat source: § 14a of the German energy act, or a contract. */
export const LIMIT_BASES = ['enwg_14a', 'agreed'] as const
export type LimitBasis = (typeof LIMIT_BASES)[number]
/** What § 14a leaves at least. */
export const LEAST_ENWG_W = 4200
export const POWER_LIMIT_W = { minimum: 0, maximum: 1_000_000 }
/** What a meter counts: what the heat source takes, or the heat it gives to the floors. */
export const METER_KINDS = ['electricity', 'heat'] as const
export type MeterKind = (typeof METER_KINDS)[number]
/** `less`: no electricity for the floors for a while. `more`: as much as they can store meanwhile. */
export const FLEXIBILITY_DIRECTIONS = ['less', 'more'] as const
export type FlexibilityDirection = (typeof FLEXIBILITY_DIRECTIONS)[number]
/** Why nobody can say how many watts a building takes. */
export const POWER_UNKNOWN = ['no_heat_source', 'not_electric', 'no_area', 'no_meter'] as const
export type PowerUnknown = (typeof POWER_UNKNOWN)[number]
