/** What may be wrong with the heating of a room. */
export const CAUSES = [
  'little_flow',
  'actuator_stuck_closed',
  'actuator_stuck_open',
  'sensor_in_sun',
  'sensor_on_cold_wall',
  'sensors_swapped',
  'supply_too_cold',
  'source_without_heat',
  'heat_off_at_night',
  'window_often_open',
  'sensor_frozen',
  'other_floor',
] as const
export type Cause = (typeof CAUSES)[number]

/** Concerns every room with water in its floor, so it is told by all of them together. */
export const HOUSE_CAUSES = ['supply_too_cold', 'source_without_heat', 'heat_off_at_night'] as const satisfies Cause[]
export type HouseCause = (typeof HOUSE_CAUSES)[number]
