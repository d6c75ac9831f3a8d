import {
  type Action,
  type ActorKind,
  actionOfBuildingField,
  actionOfRoomField,
  type ChangeTopic,
  mayDo,
  type Role,
} from '@hypocaust/domain'
import { BUILDING_SETTINGS, ROOM_SETTINGS } from './settings.ts'

const fieldsOf = (settings: { field: string }[]) => settings.map(({ field }) => field)

/** Set by the people who live there. */
const STEERED = [
  'target_temperature',
  'preset_mode',
  'manual_power',
  'override',
  'programme',
  'comfort_band',
  'used_by',
  'cooling_target',
  'blinds',
]
const WHOLE_HOUSE = [
  'comfort',
  'calendar',
  'cooling',
  'hot_water',
  'tariff',
  'away',
  'presence_rule',
  'frost_protection',
]
const ACCESS = ['role', 'invitation', 'key']
/** That an operator looked at the temperatures of the family: for every member to read. */
const OPERATOR = ['operator_access']
const OTHERS = ['room', 'building', 'valves', 'contact', 'gateway', 'gateway_paired', 'gateway_token', 'learning']

const ALL = [
  ...new Set([...fieldsOf(ROOM_SETTINGS), ...fieldsOf(BUILDING_SETTINGS), ...ACCESS, ...OPERATOR, ...OTHERS]),
]

export const FIELDS_OF_TOPIC: Record<ChangeTopic, string[]> = {
  rooms: STEERED,
  building: WHOLE_HOUSE,
  access: [...ACCESS, ...OPERATOR],
  set_up: ALL.filter((field) => ![...STEERED, ...WHOLE_HOUSE, ...ACCESS, ...OPERATOR].includes(field)),
}

/** What is hidden from a role: who the members are and which keys they have is for those who manage members. */
export const hiddenFrom = (role: Role): string[] => (mayDo(role, 'members') ? [] : ACCESS)

/** What undoing a change needs; undefined for what cannot be undone: what ended by itself does not come back. */
export function actionOfUndo({ field, roomId, actorKind }: Undoable): Action | undefined {
  if (actorKind === 'rule') return undefined
  return roomId === null ? actionOfBuildingField(field) : actionOfRoomField(field)
}

interface Undoable {
  field: string
  roomId: string | null
  actorKind: ActorKind
}
