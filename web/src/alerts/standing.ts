import type { AppAlert } from '@hypocaust/domain'
import { isUrgent } from '@hypocaust/domain/alert-kinds'

interface Standing {
  /** Needs a person now. */
  urgent: AppAlert[]
  /** Can wait, such as a low battery. */
  reminders: AppAlert[]
  snoozed: AppAlert[]
}

/** The one rule of what needs attention: home, navigation and the alerts page all go by it. */
export function standingOf(alerts: AppAlert[], buildingId?: string): Standing {
  const own = alerts.filter(({ building_id }) => buildingId === undefined || building_id === buildingId)
  const awake = own.filter(({ snoozed_until }) => snoozed_until === null)
  return {
    urgent: awake.filter(isUrgent),
    reminders: awake.filter((alert) => !isUrgent(alert)),
    snoozed: own.filter(({ snoozed_until }) => snoozed_until !== null),
  }
}
