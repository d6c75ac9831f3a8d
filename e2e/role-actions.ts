import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACTIONS, type Action, mayDo, type Role } from '@hypocaust/domain'
import type { Operation } from './openapi.ts'

/** What each route that names a building, or something in one, does there. One of several must be allowed. */
const ROUTE_ACTIONS: Record<string, Action | Action[]> = {
  'GET /v1/buildings/{buildingId}': 'view',
  'GET /v1/buildings/{buildingId}/alerts': 'view',
  'GET /v1/buildings/{buildingId}/away': 'view',
  'PUT /v1/buildings/{buildingId}/away': 'away',
  'DELETE /v1/buildings/{buildingId}/away': 'away',
  'GET /v1/buildings/{buildingId}/presence': 'away',
  'PUT /v1/buildings/{buildingId}/presence': 'away',
  'GET /v1/buildings/{buildingId}/energy': 'view',
  'GET /v1/buildings/{buildingId}/house-report': 'set_up',
  'GET /v1/buildings/{buildingId}/balancing': 'set_up',
  'GET /v1/buildings/{buildingId}/power-limit': 'view',
  'PUT /v1/buildings/{buildingId}/power-limit': 'plan',
  'DELETE /v1/buildings/{buildingId}/power-limit': 'plan',
  'GET /v1/buildings/{buildingId}/state': 'view',
  'GET /v1/buildings/{buildingId}/rooms': 'view',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}': 'view',
  'PATCH /v1/buildings/{buildingId}/rooms': 'steer',
  'PATCH /v1/buildings/{buildingId}/rooms/{roomId}': 'steer',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}/energy': 'view',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}/history': 'view',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}/explanation': 'view',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}/diagnosis': 'view',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}/air': 'view',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}/outlook': 'view',
  'GET /v1/buildings/{buildingId}/rooms/{roomId}/override': 'view',
  'PUT /v1/buildings/{buildingId}/rooms/{roomId}/override': 'steer',
  'DELETE /v1/buildings/{buildingId}/rooms/{roomId}/override': 'steer',
  'POST /v1/buildings/{buildingId}/rooms/{roomId}/feedback': 'steer',
  'GET /control/v1/buildings/{buildingId}/comfort': 'view',
  'PUT /control/v1/buildings/{buildingId}/comfort': 'plan',
  'GET /control/v1/buildings/{buildingId}/rooms/{roomId}/comfort': 'view',
  'PATCH /control/v1/buildings/{buildingId}/rooms/{roomId}/comfort': ['plan', 'set_up'],
  'GET /control/v1/buildings/{buildingId}/rooms/{roomId}/programme': 'view',
  'PUT /control/v1/buildings/{buildingId}/rooms/{roomId}/programme': 'plan',
  'DELETE /control/v1/buildings/{buildingId}/rooms/{roomId}/programme': 'plan',
  'POST /control/v1/buildings/{buildingId}/rooms/{roomId}/programme/copies': 'plan',
  'GET /control/v1/buildings/{buildingId}/cooling': 'view',
  'PUT /control/v1/buildings/{buildingId}/cooling': 'plan',
  'GET /control/v1/buildings/{buildingId}/hot-water': 'view',
  'PUT /control/v1/buildings/{buildingId}/hot-water': 'plan',
  'GET /control/v1/buildings/{buildingId}/flexibility': 'view',
  'GET /control/v1/buildings/{buildingId}/calendars': 'plan',
  'POST /control/v1/buildings/{buildingId}/calendars': 'plan',
  'PUT /control/v1/buildings/{buildingId}/calendars/{calendarId}': 'plan',
  'DELETE /control/v1/buildings/{buildingId}/calendars/{calendarId}': 'plan',
  'GET /control/v1/buildings/{buildingId}/rooms/{roomId}/programme/calendar': 'view',
  'PATCH /app/buildings/{buildingId}': ['set_up', 'plan', 'away'],
  'DELETE /app/buildings/{buildingId}': 'remove',
  'GET /app/buildings/{buildingId}/energy': 'view',
  'GET /app/buildings/{buildingId}/house-report': 'set_up',
  'GET /app/buildings/{buildingId}/balancing': 'set_up',
  'GET /app/buildings/{buildingId}/energy.csv': 'view',
  'GET /app/buildings/{buildingId}/flexibility': 'view',
  'GET /app/buildings/{buildingId}/heat-source': 'view',
  'GET /app/buildings/{buildingId}/outlooks': 'view',
  'GET /app/buildings/{buildingId}/report': 'report',
  'GET /app/buildings/{buildingId}/sensors': 'set_up',
  'GET /app/buildings/{buildingId}/contacts': 'set_up',
  'PATCH /app/buildings/{buildingId}/contacts/{contactId}': 'set_up',
  'GET /app/buildings/{buildingId}/gateways': 'set_up',
  'POST /app/buildings/{buildingId}/gateways': 'set_up',
  'GET /app/buildings/{buildingId}/loops': 'set_up',
  'POST /app/buildings/{buildingId}/loops/test': 'set_up',
  'GET /app/buildings/{buildingId}/screed': 'set_up',
  'POST /app/buildings/{buildingId}/screed': 'set_up',
  'DELETE /app/buildings/{buildingId}/screed': 'set_up',
  'GET /app/buildings/{buildingId}/screed/records/{recordId}': 'set_up',
  'POST /app/buildings/{buildingId}/loops/search': 'set_up',
  'DELETE /app/buildings/{buildingId}/loops/run': 'set_up',
  'PUT /app/buildings/{buildingId}/loops/rooms': 'set_up',
  'PUT /app/buildings/{buildingId}/loops/details': 'set_up',
  'GET /app/buildings/{buildingId}/matter': 'set_up',
  'PUT /app/buildings/{buildingId}/presence': 'away',
  'GET /app/buildings/{buildingId}/calendars': 'plan',
  'POST /app/buildings/{buildingId}/calendars': 'plan',
  'PUT /app/buildings/{buildingId}/calendars/{calendarId}': 'plan',
  'DELETE /app/buildings/{buildingId}/calendars/{calendarId}': 'plan',
  'PUT /app/buildings/{buildingId}/override': 'away',
  'DELETE /app/buildings/{buildingId}/override': 'away',
  'POST /app/buildings/{buildingId}/rooms': 'set_up',
  'PATCH /app/rooms/{roomId}': 'steer',
  'DELETE /app/rooms/{roomId}': 'set_up',
  'GET /app/rooms/{roomId}/history': 'view',
  'GET /app/rooms/{roomId}/history.csv': 'view',
  'GET /app/rooms/{roomId}/explanation': 'view',
  'GET /app/rooms/{roomId}/diagnosis': 'view',
  'GET /app/rooms/{roomId}/air': 'view',
  'GET /app/rooms/{roomId}/outlook': 'view',
  'GET /app/rooms/{roomId}/plan': 'view',
  'GET /app/rooms/{roomId}/promises': 'view',
  'GET /app/rooms/{roomId}/shadow': 'view',
  'GET /app/rooms/{roomId}/warm-up': 'view',
  'POST /app/rooms/{roomId}/what-if': 'view',
  'PUT /app/rooms/{roomId}/override': 'steer',
  'DELETE /app/rooms/{roomId}/override': 'steer',
  'POST /app/rooms/{roomId}/feedback': 'steer',
  'DELETE /app/rooms/{roomId}/proposal': 'plan',
  'POST /app/rooms/{roomId}/programme/copies': 'plan',
  'GET /app/rooms/{roomId}/programme.ics': 'view',
  'GET /app/rooms/{roomId}/programme/links': 'plan',
  'POST /app/rooms/{roomId}/programme/links': 'plan',
  'DELETE /app/rooms/{roomId}/programme/links/{linkId}': 'plan',
  'POST /app/gateways/{gatewayId}/pairing': 'set_up',
  'DELETE /app/gateways/{gatewayId}': 'set_up',
  'PUT /app/alerts/{alertId}/snooze': 'alerts',
  'GET /app/buildings/{buildingId}/members': 'view',
  'PATCH /app/buildings/{buildingId}/members/{memberId}': 'members',
  'DELETE /app/buildings/{buildingId}/members/{memberId}': 'members',
  'DELETE /app/buildings/{buildingId}/membership': 'view',
  'GET /app/buildings/{buildingId}/invitations': 'members',
  'POST /app/buildings/{buildingId}/invitations': 'members',
  'DELETE /app/buildings/{buildingId}/invitations/{invitationId}': 'members',
  'POST /app/buildings/{buildingId}/invitations/{invitationId}/confirmation': 'members',
  'GET /app/buildings/{buildingId}/changes': 'change_log',
  'POST /app/buildings/{buildingId}/changes/undo': 'change_log',
  'POST /app/buildings/{buildingId}/all-rooms': 'away',
  'GET /app/buildings/{buildingId}/changes.csv': 'change_log',
  'POST /app/buildings/{buildingId}/changes/{sequence}/undo': 'change_log',
}

/** Every writable field, with what it needs beyond the route, and a value to write. */
export const FIELDS: { path: string; field: string; action: Action; value: unknown }[] = [
  ...['/v1/buildings/{buildingId}/rooms/{roomId}', '/app/rooms/{roomId}'].flatMap((path) => [
    { path, field: 'target_temperature', action: 'steer' as const, value: 21 },
    { path, field: 'hvac_mode', action: 'steer' as const, value: 'off' },
    { path, field: 'preset_mode', action: 'steer' as const, value: 'low' },
    { path, field: 'manual_power', action: 'steer' as const, value: {} },
    { path, field: 'name', action: 'set_up' as const, value: 'Spa' },
    { path, field: 'sensor_id', action: 'set_up' as const, value: 'ff:ff' },
  ]),
  ...(
    [
      ['floor_type', 'set_up', 'screed'],
      ['area_m2', 'set_up', 10],
      ['storey', 'set_up', 'Upstairs'],
      ['icon', 'set_up', 'bath'],
      ['other_sensors', 'set_up', null],
      ['only_watch', 'set_up', true],
      ['max_floor_temperature', 'set_up', 29],
      ['floor_sensor_id', 'set_up', null],
      ['valves', 'set_up', []],
      ['surface_factor', 'set_up', 0.6],
      ['mould_warming', 'plan', 0.5],
      ['used_by', 'plan', ['Anna']],
      ['cooling_target', 'plan', 25],
      ['minimum_floor_temperature', 'plan', null],
      ['target_of', 'set_up', 'air'],
      ['blinds', 'plan', null],
      ['comfort_band', 'plan', 1],
      ['night_mode', 'plan', null],
      ['programme', 'plan', null],
    ] as const
  ).map(([field, action, value]) => ({ path: '/app/rooms/{roomId}', field, action, value })),
  ...(
    [
      ['comfort_band', 'plan', 1],
      ['max_floor_temperature', 'set_up', 29],
      ['surface_factor', 'set_up', 0.6],
      ['mould_warming', 'plan', 0.5],
      ['minimum_floor_temperature', 'plan', null],
      ['target_of', 'set_up', 'air'],
      ['blinds', 'plan', null],
    ] as const
  ).map(([field, action, value]) => ({
    path: '/control/v1/buildings/{buildingId}/rooms/{roomId}/comfort',
    field,
    action,
    value,
  })),
  ...(
    [
      ['name', 'set_up', 'House'],
      ['location', 'set_up', { lat: 1, lng: 1 }],
      ['timezone', 'set_up', 'Europe/Oslo'],
      ['frost_protection', 'set_up', true],
      ['tags', 'set_up', ['North']],
      ['room_order', 'plan', null],
      ['comfort', 'plan', 'saving'],
      ['saving', 'plan', true],
      ['tariff', 'plan', null],
      ['heat_source', 'set_up', null],
      ['cooling', 'plan', null],
      ['hot_water', 'plan', null],
      ['away', 'away', null],
      ['presence_rule', 'plan', null],
    ] as const
  ).map(([field, action, value]) => ({ path: '/app/buildings/{buildingId}', field, action, value })),
]

/** These are of the person, not of a building; the file of a link is named by its secret. */
const PERSONAL = /\{(keyId|sessionId|passkeyId|deviceId|webhookId|grantId|file)\}/

/** None for a route that names nothing in a building. A route that is not in the table fails. */
export function actionsOf({ id, path }: Operation): Action[] {
  if (!/\{\w+\}/.test(path) || PERSONAL.test(path)) return []
  const actions = ROUTE_ACTIONS[id]
  if (!actions) throw new Error(`${id}: say in e2e/role-actions.ts what it does in a building`)
  return [actions].flat()
}

/** The page that promises who may do what: tests go by it and not by the code, so that a wrong cell of either fails. */
export const MEMBERS_PAGE = readFileSync(join(import.meta.dirname, '../docs/members.md'), 'utf8')

const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim().replaceAll('`', ''))

function documentedCells(): Map<string, string> {
  const lines = MEMBERS_PAGE.split('\n').map(cellsOf)
  const head = lines.find((cells) => cells[1] === 'Action') ?? []
  const rows = lines.filter(([, action = '']) => action in ACTIONS)
  return new Map(rows.flatMap((cells) => cells.map((cell, i) => [`${cells[1]} ${head[i]}`, cell] as const)))
}

const DOCUMENTED = documentedCells()

/** By the documentation. */
export function isPromised(role: Role, action: Action): boolean {
  const cell = DOCUMENTED.get(`${action} ${role}`)
  if (cell === undefined) throw new Error(`docs/members.md: say whether ${role} may ${action}`)
  return cell !== '–'
}

export const mayUse = (role: Role, actions: Action[]): boolean => actions.some((action) => isPromised(role, action))

/** The table as it is documented. */
export function roleTable(roles: readonly Role[]): string {
  const rows = Object.entries(ACTIONS).map(([action, { does }]) => {
    const cells = roles.map((role) => (mayDo(role, action as Action) ? (role === 'guest' ? 'own rooms' : 'yes') : '–'))
    return `| \`${action}\` | ${does} | ${cells.join(' | ')} |`
  })
  return [
    `| Action | What it covers | ${roles.join(' | ')} |`,
    `|---|---|${roles.map(() => '---').join('|')}|`,
    ...rows,
  ].join('\n')
}
