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

/** What a person can check or do in the house. */
export const CHECKS = [
  'vent_loop',
  'compare_flow',
  'try_actuator',
  'move_pin',
  'check_channel',
  'move_sensor',
  'compare_thermometer',
  'breathe_on_sensor',
  'read_supply',
  'raise_curve',
  'check_mixer',
  'check_source',
  'check_pump',
  'check_timer',
  'close_window',
  'restart_sensor',
  'check_floor_type',
] as const
export type Check = (typeof CHECKS)[number]

/** For each cause, what is easiest or most often it comes first. */
export const CHECKS_OF: Record<Cause, readonly Check[]> = {
  little_flow: ['compare_flow', 'vent_loop', 'try_actuator'],
  actuator_stuck_closed: ['try_actuator', 'move_pin', 'check_channel', 'vent_loop'],
  actuator_stuck_open: ['try_actuator', 'move_pin', 'check_channel'],
  sensor_in_sun: ['move_sensor', 'compare_thermometer'],
  sensor_on_cold_wall: ['compare_thermometer', 'move_sensor'],
  sensors_swapped: ['breathe_on_sensor', 'check_channel'],
  supply_too_cold: ['read_supply', 'raise_curve', 'check_mixer'],
  source_without_heat: ['check_source', 'check_pump', 'read_supply'],
  heat_off_at_night: ['check_timer'],
  window_often_open: ['close_window'],
  sensor_frozen: ['restart_sensor', 'compare_thermometer'],
  other_floor: ['check_floor_type', 'check_channel'],
}
