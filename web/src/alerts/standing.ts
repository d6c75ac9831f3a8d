import type { AppAlert } from '@hypocaust/domain'
import { REMINDER_KINDS } from '@hypocaust/domain/alert-kinds'

export interface Standing {
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
    urgent: awake.filter(({ kind }) => !REMINDER_KINDS.includes(kind)),
    reminders: awake.filter(({ kind }) => REMINDER_KINDS.includes(kind)),
    snoozed: own.filter(({ snoozed_until }) => snoozed_until !== null),
  }
}
