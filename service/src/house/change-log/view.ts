import { type ChangeEntry, mayDo, type Override, type Role, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { actionOfUndo } from './fields.ts'
import type { ChangeRow } from './read.ts'
import { PLAIN_ROOM_SETTINGS } from './settings.ts'

/** Names of what values refer to. */
export interface Names {
  gateways: Map<string, string>
  rooms: Map<string, string>
}

/** Also of what is gone, as far as the log has its name. */
export async function namesIn({ db }: Store, buildingId: string): Promise<Names> {
  const [logged, gateways, rooms] = await Promise.all([
    db
      .selectFrom('changeLog')
      .select(['field', 'subjectId', 'subject'])
      .where('buildingId', '=', buildingId)
      .where('field', 'in', ['room', 'gateway'])
      .execute(),
    db.selectFrom('gateways').select(['id', 'name']).where('buildingId', '=', buildingId).execute(),
    db.selectFrom('rooms').select(['id', 'name']).where('buildingId', '=', buildingId).execute(),
  ])
  const named = (field: string, present: { id: string; name: string }[]) =>
    new Map([
      ...logged.filter((row) => row.field === field).map((row): [string, string] => [row.subjectId, row.subject]),
      ...present.map(({ id, name }): [string, string] => [id, name]),
    ])
  return { gateways: named('gateway', gateways), rooms: named('room', rooms) }
}

export interface Reader {
  role: Role
  names: Names
  latest: Set<number>
}

export function changeEntry(row: ChangeRow, { role, names, latest }: Reader): ChangeEntry {
  const action = actionOfUndo(row)
  return {
    sequence: row.sequence,
    at: timestampOf(row.changedAt),
    actor: {
      kind: row.actorKind,
      name: row.actorName,
      role: row.actorRole,
      holder: row.actorKind === 'key' ? row.actorEmail : null,
    },
    room_id: row.roomId,
    subject: row.subject,
    field: row.field,
    before: shown(row.field, row.oldValue, names),
    after: shown(row.field, row.newValue, names),
    can_undo: latest.has(row.sequence) && action !== undefined && mayDo(role, action),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as the column was, by the field
type Values = any[]

const stamp = (atMs: number | null) => (atMs === null ? null : timestampOf(atMs))

/** Room settings that are one column of JSON. */
const JSON_FIELDS = new Set(
  Object.entries(PLAIN_ROOM_SETTINGS).flatMap(([field, column]) => ('isJson' in column ? [field] : [])),
)

/** Fields whose value is not simply that of their one column. */
const VIEWS: Record<string, (values: Values, names: Names) => unknown> = {
  target_temperature: ([targetC]) => targetC,
  manual_power: ([enabled, power]) => ({ enabled: enabled === 1, power }),
  override: ([text]) => (text === null ? null : overrideOf(JSON.parse(text))),
  programme: ([night, programme]) => {
    if (programme !== null) return { programme: JSON.parse(programme) }
    return night === null ? null : { night_mode: JSON.parse(night) }
  },
  frost_protection: ([bit]) => bit === 1,
  only_watch: ([since]) => since !== null,
  tariff: ([text]) => (text === null ? null : JSON.parse(text)),
  heat_source: ([text]) => (text === null ? null : JSON.parse(text)),
  cooling: ([text]) => (text === null ? null : JSON.parse(text)),
  hot_water: ([text]) => (text === null ? null : JSON.parse(text)),
  room_order: ([text], names) => (text === null ? null : namesOf(JSON.parse(text), names)),
  presence_rule: ([text]) => (text === null ? null : JSON.parse(text)),
  tags: ([text]) => (text === null ? [] : JSON.parse(text)),
  location: ([lat, lng]) => ({ lat, lng }),
  away: ([from, until, temperature, rooms], names) =>
    temperature === null
      ? null
      : { from: stamp(from), until: stamp(until), temperature, rooms: rooms && namesOf(JSON.parse(rooms), names) },
  role: ([role, rooms, endsAt], names) => ({
    role,
    rooms: rooms && namesOf(JSON.parse(rooms), names),
    until: stamp(endsAt),
  }),
  invitation: ([role, rooms, endsAt], names) => VIEWS.role?.([role, rooms, endsAt], names),
  key: ([name, permission]) => ({ name, permission }),
  valves: (valves, { gateways }) =>
    valves.map(([id, channel]) => ({ gateway: gateways.get(id) ?? '', channel: Number(channel) })),
  contact: ([roomId], { rooms }) => rooms.get(roomId) ?? '',
}

const namesOf = (ids: string[], { rooms }: Names): string[] => ids.map((id) => rooms.get(id) ?? '')

function shown(field: string, text: string | null, names: Names): unknown {
  if (text === null) return null
  const values = JSON.parse(text) as Values
  const view = VIEWS[field]
  if (view) return view(values, names) ?? null
  const [value] = values
  return JSON_FIELDS.has(field) && value !== null ? JSON.parse(value) : value
}

function overrideOf(override: Override): unknown {
  const until = timestampOf(override.untilMs)
  if (override.kind === 'target') return { target_temperature: override.targetC, until }
  return override.kind === 'manual' ? { power: override.power, until } : { hvac_mode: 'off', until }
}
