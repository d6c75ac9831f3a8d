import type { Need } from '../facts/need.ts'

/** Urgent enough for a mail or a notification on the phone. */
export const NOTIFIED_KINDS = [
  'building_silent',
  'sensor_silent',
  'battery_low',
  'target_unreachable',
  'valve_without_effect',
  'model_broken',
  'valve_silent',
  'valve_stays_on',
  'floor_probe_silent',
  'auto_off_unproven',
  'heat_source_failed',
  'supply_too_cold',
  'loop_low_flow',
  'sensors_swapped',
  'mould_risk',
  'gateway_not_following',
  'two_agents',
  'disinfection_overdue',
  'cooling_left_on',
  'close_blinds',
] as const
export type NotifiedKind = (typeof NOTIFIED_KINDS)[number]

/** Those, and what is only shown: it belongs to the set-up, or passes by itself. */
export const ALERT_KINDS = [...NOTIFIED_KINDS, 'sensor_never_heard', 'window_open', 'floor_limit'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** What can wait: shown as a reminder, not as something wrong. */
const REMINDER_KINDS: readonly AlertKind[] = ['battery_low', 'mould_risk', 'close_blinds', 'window_open', 'floor_limit']

/** The one rule of what needs a person now: not what can wait, and not what was snoozed. */
export const isUrgent = ({ kind, snoozed_until }: { kind: AlertKind; snoozed_until: string | null }): boolean =>
  snoozed_until === null && !REMINDER_KINDS.includes(kind)

/** The one rule of which buildings need attention, and why: those with an urgent alert. */
export function urgentByBuilding<A extends { kind: AlertKind; building_id: string; snoozed_until: string | null }>(
  alerts: A[],
): Map<string, A[]> {
  return Map.groupBy(alerts.filter(isUrgent), ({ building_id }) => building_id)
}

/** By what a list of buildings is ordered. A building that does not report has no other alerts: those come first. */
export function needOf(building: { urgent: AlertKind[]; available: boolean | null; rooms: number }): Need {
  const { urgent, available, rooms } = building
  if (urgent.some((kind) => kind !== 'building_silent')) return 'attention'
  if (available === false) return 'unavailable'
  return available === null || rooms === 0 ? 'unfinished' : 'fine'
}
