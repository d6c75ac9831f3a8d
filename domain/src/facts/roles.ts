/** Which people a building has. */
export const ROLES = ['owner', 'resident', 'guest', 'installer'] as const
export type Role = (typeof ROLES)[number]

/** Everything that is done in a building, and by whom. Every door asks this table, and nothing else. */
export const ACTIONS = {
  view: {
    does: 'See the building, its rooms, their past and outlook',
    roles: ['owner', 'resident', 'guest', 'installer'],
  },
  steer: {
    does: 'Set target, mode, preset, manual power and overrides of a room; say that it is too cold or too warm',
    roles: ['owner', 'resident', 'guest', 'installer'],
  },
  plan: {
    does: 'Set programme, night mode, comfort band, warming against mould, cooling, hot water, calendars, energy saving and the tariff; accept and dismiss proposals',
    roles: ['owner', 'resident'],
  },
  away: { does: 'Set absences and override all rooms at once', roles: ['owner', 'resident'] },
  alerts: { does: 'Be notified of alerts and snooze them', roles: ['owner', 'resident', 'installer'] },
  set_up: {
    does: 'Set up rooms, sensors, valves, window contacts, gateways, Matter and the building itself',
    roles: ['owner', 'installer'],
  },
  change_log: { does: 'See who changed what and when', roles: ['owner', 'resident', 'installer'] },
  members: { does: 'Invite people, change roles, remove people, hand the building over', roles: ['owner'] },
  report: { does: 'Download a problem report', roles: ['owner'] },
  remove: { does: 'Remove the building', roles: ['owner'] },
} as const satisfies Record<string, { does: string; roles: readonly Role[] }>
export type Action = keyof typeof ACTIONS

/** These roles see and steer only the rooms chosen for them. */
export const hasChosenRooms = (role: Role): boolean => role === 'guest'

export const mayDo = (role: Role, action: Action): boolean => (ACTIONS[action].roles as readonly Role[]).includes(role)

/** Roles that end by themselves, and after how many days unless another date is chosen. */
export const ENDS_AFTER_DAYS: Partial<Record<Role, number>> = { guest: 7, installer: 30 }
