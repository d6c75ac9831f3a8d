import type { Decision } from '@hypocaust/control'
import { type Alert, type AppBuilding, type AppRoom, BATTERY_LOW_PCT } from '@hypocaust/domain'
import type { Store } from '../store/store.ts'

const SENSOR_SILENT_AFTER_MS = 60 * 60_000
/** An older decision says nothing about now. */
const DECISION_COUNTS_MS = 2 * 60 * 60_000

/** What needs a person, worked out anew at every look: nothing is stored, so nothing lingers. */
export async function alertsOf(store: Store, buildings: AppBuilding[], nowMs: number): Promise<Alert[]> {
  const notices = await latestNotices(store, buildings, nowMs)
  return buildings.flatMap((building) => [
    ...silentBuilding(building),
    ...building.rooms.flatMap((room) => roomAlerts(building, room, notices.get(room.id) ?? [], nowMs)),
  ])
}

function silentBuilding(building: AppBuilding): Alert[] {
  if (building.available !== false) return []
  return [{ ...blank(building), kind: 'building_silent', since: building.last_seen }]
}

function roomAlerts(building: AppBuilding, room: AppRoom, notices: Decision['notices'], nowMs: number): Alert[] {
  const base = { ...blank(building), room_id: room.id, room: room.name }
  const alerts: Alert[] = []
  const { sensor } = room
  // While the whole building is silent, its sensors are no news; before it ever spoke, neither.
  if (building.available === true) {
    if (sensor === null) alerts.push({ ...base, kind: 'sensor_never_heard' })
    else if (nowMs - Date.parse(sensor.timestamp) > SENSOR_SILENT_AFTER_MS)
      alerts.push({ ...base, kind: 'sensor_silent', since: sensor.timestamp })
  }
  if (sensor !== null && sensor.batt !== null && sensor.batt <= BATTERY_LOW_PCT)
    alerts.push({ ...base, kind: 'battery_low', value: sensor.batt })
  if (notices.includes('boiler-off')) alerts.push({ ...base, kind: 'heat_without_effect' })
  if (notices.includes('window-open')) alerts.push({ ...base, kind: 'window_open' })
  return alerts
}

const blank = ({ id, name }: AppBuilding) => ({
  building_id: id,
  building: name,
  room_id: null,
  room: null,
  since: null,
  value: null,
})

async function latestNotices(
  { db }: Store,
  buildings: AppBuilding[],
  nowMs: number,
): Promise<Map<string, Decision['notices']>> {
  const rooms = buildings.flatMap(({ rooms }) => rooms.map(({ id }) => id))
  const found = await Promise.all(
    rooms.map(async (roomId) => {
      const row = await db
        .selectFrom('decisions')
        .select('decision')
        .where('roomId', '=', roomId)
        .where('decidedAt', '>', nowMs - DECISION_COUNTS_MS)
        .orderBy('decidedAt', 'desc')
        .limit(1)
        .executeTakeFirst()
      return [roomId, row ? (JSON.parse(row.decision) as Decision).notices : []] as const
    }),
  )
  return new Map(found)
}
