import { type AppAlert, needOf, type OverviewEntry, timestampOf, urgentByBuilding } from '@hypocaust/domain'
import { type Availability, isAvailable } from '../../house/buildings/buildings.ts'
import { tagsIn } from '../../house/buildings/tags.ts'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import { alertsOf } from './alerts.ts'

/** The buildings of a person, one line each, with what each of them needs by the alerts this person sees. */
export async function overviewOf(
  store: Store,
  accountId: string,
  availability: Availability,
  nowMs: number,
): Promise<OverviewEntry[]> {
  const [rows, alerts] = await Promise.all([
    rowsOf(store, accountId, nowMs),
    alertsOf(store, { accountId }, availability, nowMs),
  ])
  const urgent = urgentByBuilding(alerts)
  const awake = Map.groupBy(
    alerts.filter(({ snoozed_until }) => snoozed_until === null),
    ({ building_id }) => building_id,
  )
  return rows.map(({ id, name, role, timezone, tags, lastSeenAt, rooms }) => {
    const available = isAvailable(lastSeenAt, availability, nowMs)
    const kinds = kindsOf(urgent.get(id))
    return {
      id,
      name,
      role,
      timezone,
      tags: tagsIn(tags),
      need: needOf({ urgent: kinds, available, rooms: Number(rooms) }),
      urgent: kinds,
      reminders: (awake.get(id)?.length ?? 0) - kinds.length,
      silent_since: available === false && lastSeenAt !== null ? timestampOf(lastSeenAt) : null,
    }
  })
}

const kindsOf = (alerts: AppAlert[] = []) => alerts.map(({ kind }) => kind)

const rowsOf = ({ db }: Store, accountId: string, nowMs: number) =>
  db
    .selectFrom('members')
    .innerJoin('buildings', 'buildings.id', 'members.buildingId')
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs))
    .select(['buildings.id', 'buildings.name', 'buildings.timezone', 'buildings.tags', 'members.role'])
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
