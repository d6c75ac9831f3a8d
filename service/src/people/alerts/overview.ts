import {
  type AppAlert,
  HOUR_MS,
  needOf,
  type OverviewEntry,
  READING_STALE_AFTER_MS,
  timestampOf,
  urgentByBuilding,
} from '@hypocaust/domain'
import { type Availability, isAvailable } from '../../house/buildings/buildings.ts'
import { tagsIn } from '../../house/buildings/tags.ts'
import { isActive, seesRoom } from '../../house/membership.ts'
import { withOtherSensors } from '../../house/room-sensors.ts'
import type { Store } from '../../store/store.ts'
import { alertsOf } from './alerts.ts'

/** The weather of a place is fetched about once an hour. */
const OUTDOOR_STALE_AFTER_MS = 6 * HOUR_MS

/** The buildings of a person, one line each, with what each of them needs by the alerts this person sees. */
export async function overviewOf(
  store: Store,
  accountId: string,
  availability: Availability,
  nowMs: number,
): Promise<OverviewEntry[]> {
  const [rows, rooms, alerts] = await Promise.all([
    rowsOf(store, accountId, nowMs),
    roomsOf(store, accountId, nowMs),
    alertsOf(store, { accountId }, availability, nowMs),
  ])
  const urgent = urgentByBuilding(alerts)
  const awake = Map.groupBy(
    alerts.filter(({ snoozed_until }) => snoozed_until === null),
    ({ building_id }) => building_id,
  )
  const measured = Map.groupBy(rooms, ({ buildingId }) => buildingId)
  return rows.map(({ id, name, role, timezone, tags, lastSeenAt, outdoorC, outdoorAt, rooms: all }) => {
    const isOutdoorKnown = outdoorC !== null && (outdoorAt ?? 0) > nowMs - OUTDOOR_STALE_AFTER_MS
    const available = isAvailable(lastSeenAt, availability, nowMs)
    const kinds = kindsOf(urgent.get(id))
    return {
      id,
      name,
      role,
      timezone,
      tags: tagsIn(tags),
      need: needOf({ urgent: kinds, available, rooms: Number(all) }),
      urgent: kinds,
      reminders: (awake.get(id)?.length ?? 0) - kinds.length,
      coldest: coldestOf(measured.get(id) ?? []),
      outdoor: isOutdoorKnown ? Math.round(outdoorC) : null,
      silent_since: available === false && lastSeenAt !== null ? timestampOf(lastSeenAt) : null,
    }
  })
}

const kindsOf = (alerts: AppAlert[] = []) => alerts.map(({ kind }) => kind)

/** Of rooms that are as cold in whole degrees, always the same one: the list must not change with every reading. */
function coldestOf(rooms: Awaited<ReturnType<typeof roomsOf>>): OverviewEntry['coldest'] {
  const [coldest = null] = rooms
    .filter(({ roomId, ...membership }) => seesRoom(membership, roomId))
    .map(({ name, temperatureC }) => ({ room: name, temperature: Math.round(temperatureC) }))
    .toSorted((a, b) => a.temperature - b.temperature)
  return coldest
}

/** Those of all buildings that have been measured lately. */
async function roomsOf(store: Store, accountId: string, nowMs: number) {
  const rows = await store.db
    .selectFrom('members')
    .innerJoin('rooms', 'rooms.buildingId', 'members.buildingId')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs))
    .select(['members.buildingId', 'members.role', 'members.rooms', 'rooms.id as roomId', 'rooms.name'])
    .select(['rooms.otherSensors', 'sensors.address as sensorAddress'])
    .select(['sensors.temperatureC', 'sensors.humidityPct', 'sensors.measuredAt'])
    .orderBy('rooms.id')
    .execute()
  const measured = await withOtherSensors(store, rows)
  return measured.flatMap(({ temperatureC, measuredAt, ...room }) =>
    temperatureC === null || (measuredAt ?? 0) <= nowMs - READING_STALE_AFTER_MS ? [] : [{ ...room, temperatureC }],
  )
}

const rowsOf = ({ db }: Store, accountId: string, nowMs: number) =>
  db
    .selectFrom('members')
    .innerJoin('buildings', 'buildings.id', 'members.buildingId')
    .leftJoin('weather', 'weather.buildingId', 'buildings.id')
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs))
    .select([
      'buildings.id',
      'buildings.name',
      'buildings.timezone',
      'buildings.tags',
      'members.role',
      'weather.temperatureC as outdoorC',
      'weather.updatedAt as outdoorAt',
    ])
    .select((eb) => [
      eb
        .selectFrom('gateways')
        .whereRef('gateways.buildingId', '=', 'buildings.id')
        .select((inner) => inner.fn.max('gateways.lastSeenAt').as('newest'))
        .as('lastSeenAt'),
      eb
        .selectFrom('rooms')
        .whereRef('rooms.buildingId', '=', 'buildings.id')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('rooms'),
    ])
    .orderBy('buildings.id')
    .execute()
