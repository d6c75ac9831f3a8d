import type { Decision } from '@hypocaust/control'
import { HOUR_MS } from '@hypocaust/domain'
import { otherAgentOf, type RelayCondition, relayOf } from '../../house/gateways/conditions.ts'
import { inChunks } from '../../store/chunks.ts'
import type { Store } from '../../store/store.ts'
import type { BuildingFacts } from './facts.ts'
import { LONGEST_LOOK_BACK_MS, worthALook } from './heat.ts'
import { swappedAmong } from './swapped.ts'

/** An older decision says nothing about now. */
const DECISION_COUNTS_MS = 2 * HOUR_MS
const OBEYED_WITHIN_MS = 3 * HOUR_MS

/** All that alerts are judged by, for many buildings in a few reads. */
export async function factsOf(store: Store, buildingIds: string[], nowMs: number): Promise<BuildingFacts[]> {
  const [buildings, gateways, rooms] = await Promise.all([
    buildingRows(store, buildingIds),
    gatewayRows(store, buildingIds, nowMs),
    roomRows(store, buildingIds, nowMs),
  ])
  const gatewaysIn = Map.groupBy(gateways, ({ buildingId }) => buildingId)
  const roomsIn = Map.groupBy(rooms, ({ buildingId }) => buildingId)
  const facts = buildings.map(async ({ lat, lng, ...building }) => {
    const own = gatewaysIn.get(building.id) ?? []
    const seen = own.flatMap(({ lastSeenAt }) => (lastSeenAt === null ? [] : [lastSeenAt]))
    const inside = roomsIn.get(building.id) ?? []
    return {
      ...building,
      lastSeenAt: seen.length === 0 ? null : Math.max(...seen),
      gateways: own,
      rooms: inside,
      swapped: await swappedAmong(store, inside, { lat, lng }, nowMs),
    }
  })
  return Promise.all(facts)
}

const buildingRows = ({ db }: Store, ids: string[]) =>
  inChunks(ids, (chunk) =>
    db.selectFrom('buildings').select(['id', 'name', 'timezone', 'lat', 'lng']).where('id', 'in', chunk).execute(),
  )

async function gatewayRows({ db }: Store, ids: string[], nowMs: number) {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('gateways')
      .select(['id', 'buildingId', 'createdAt', 'lastSeenAt', 'commandSeq', 'ackedSeq', 'ackResult', 'relayReport'])
      .select(['otherAgent', 'otherAgentAt'])
      .select((eb) =>
        eb
          .selectFrom('valves')
          .whereRef('valves.gatewayId', '=', 'gateways.id')
          .select((inner) => inner.fn.countAll<number>().as('count'))
          .as('valves'),
      )
      .select((eb) =>
        eb
          .selectFrom('valveWindows')
          .whereRef('valveWindows.gatewayId', '=', 'gateways.id')
          .where('source', '=', 'command')
          .where('startedAt', '>', nowMs - OBEYED_WITHIN_MS)
          .select((inner) => inner.fn.max('startedAt').as('newest'))
          .as('obeyedAt'),
      )
      .where('buildingId', 'in', chunk)
      .execute(),
  )
  return rows.map(({ valves, commandSeq, ackedSeq, ackResult, relayReport, otherAgent, otherAgentAt, ...row }) => ({
    ...row,
    isDoubled: otherAgentOf({ relayReport, otherAgent, otherAgentAt }, nowMs) !== null,
    hasRooms: Number(valves) > 0,
    unanswered: commandSeq - (ackedSeq ?? 0),
    refuses: ackResult === 'rejected',
  }))
}

async function roomRows(store: Store, ids: string[], nowMs: number) {
  const rows = await inChunks(ids, (chunk) => selectRooms(store, chunk))
  const latest = await decisionsSince(
    store,
    rows.map(({ id }) => id),
    nowMs - DECISION_COUNTS_MS,
  )
  const odd = rows.map(({ id }) => id).filter((id) => worthALook(latest.get(id)?.at(-1)))
  const decisions = await decisionsSince(store, odd, nowMs - LONGEST_LOOK_BACK_MS)
  const relays = await relaysByRoom(store, ids)
  return rows.map((row) => ({
    ...row,
    relays: relays.get(row.id) ?? [],
    decisions: decisions.get(row.id) ?? latest.get(row.id)?.slice(-1) ?? [],
  }))
}

const selectRooms = ({ db }: Store, buildingIds: string[]) =>
  db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .select([
      'rooms.id',
      'rooms.buildingId',
      'rooms.name',
      'rooms.floorType',
      'rooms.targetC',
      'rooms.comfortBandK as bandK',
      'rooms.watchedSince',
      'sensors.batteryPct',
      'sensors.measuredAt',
    ])
    .where('rooms.buildingId', 'in', buildingIds)
    .orderBy('rooms.position')
    .orderBy('rooms.id')
    .execute()

async function relaysByRoom({ db }: Store, buildingIds: string[]): Promise<Map<string, RelayCondition[]>> {
  const rows = await inChunks(buildingIds, (chunk) =>
    db
      .selectFrom('valves')
      .innerJoin('gateways', 'gateways.id', 'valves.gatewayId')
      .select(['valves.roomId', 'valves.channel', 'gateways.relayReport'])
      .where('gateways.buildingId', 'in', chunk)
      .where('gateways.relayReport', 'is not', null)
      .execute(),
  )
  const found = new Map<string, RelayCondition[]>()
  for (const { roomId, channel, relayReport } of rows) {
    const relay = relayOf({ relayReport }, channel)
    if (relay) found.set(roomId, [...(found.get(roomId) ?? []), relay])
  }
  return found
}

async function decisionsSince({ db }: Store, roomIds: string[], sinceMs: number): Promise<Map<string, Decision[]>> {
  const rows = await inChunks(roomIds, (chunk) =>
    db
      .selectFrom('decisions')
      .select(['roomId', 'decision'])
      .where('roomId', 'in', chunk)
      .where('decidedAt', '>', sinceMs)
      .orderBy('decidedAt')
      .execute(),
  )
  const found = new Map<string, Decision[]>()
  for (const { roomId, decision } of rows) found.set(roomId, [...(found.get(roomId) ?? []), JSON.parse(decision)])
  return found
}
