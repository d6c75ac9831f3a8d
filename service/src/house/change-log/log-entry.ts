import type { LogEntry } from '@hypocaust/domain'
import type { ChangeRow } from './read.ts'
import { changeEntry } from './view.ts'

/** What /v1 shows of a building and its rooms. Comfort band, programme and type of floor are not part of it. */
export const LOGGED_FIELDS = [
  'name',
  'target_temperature',
  'preset_mode',
  'manual_power',
  'sensor_id',
  'override',
  'away',
  'location',
  'timezone',
  'room',
]

const NO_NAMES = { gateways: new Map<string, string>(), rooms: new Map<string, string>() }

/** An entry as /v1 and webhooks show it: people are not named. */
export function logEntryOf(buildingId: string, row: ChangeRow): LogEntry {
  const {
    actor,
    before,
    after,
    can_undo: _,
    ...entry
  } = changeEntry(row, {
    role: 'guest',
    names: NO_NAMES,
    latest: new Set(),
  })
  return {
    building_id: buildingId,
    ...entry,
    by: { kind: actor.kind, name: actor.kind === 'person' ? null : actor.name, role: actor.role },
    before: asOnV1(row.field, before),
    after: asOnV1(row.field, after),
  }
}

/** An absence in the form of its own path. */
function asOnV1(field: string, value: unknown): unknown {
  if (field !== 'away' || value === null) return value
  const { from, until, temperature } = value as { from: string; until: string | null; temperature: number }
  return { from, until, target_temperature: temperature }
}
