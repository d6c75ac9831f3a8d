/** How firmly rooms are held at their setpoint when heat is expensive. */
export const COMFORTS = ['comfort_first', 'balanced', 'saving'] as const
export const TARIFF_KINDS = ['fixed', 'times', 'market', 'gateway'] as const
export const HEAT_SOURCES = ['boiler', 'heat_pump', 'district', 'electric'] as const
/** What a meter counts: what the heat source takes, or the heat it gives to the floors. */
export const METER_KINDS = ['electricity', 'heat'] as const
export type MeterKind = (typeof METER_KINDS)[number]
