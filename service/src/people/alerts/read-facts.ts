import type { Decision } from '@hypocaust/control'
import { HOUR_MS } from '@hypocaust/domain'
import { SURFACE_COLUMNS } from '../../house/air/surface-record.ts'
import { coolingSettingsOf } from '../../house/cooling/settings.ts'
import { otherAgentOf, type RelayCondition, relayOf } from '../../house/gateways/conditions.ts'
import { HOT_WATER_COLUMNS } from '../../house/hot-water/settings.ts'
import { isDisinfectionOverdue } from '../../house/hot-water/view.ts'
import { type ByOthers, withOtherSensors } from '../../house/room-sensors.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { BuildingFacts } from './facts.ts'
import { LONGEST_LOOK_BACK_MS, needsLastHours } from './heat.ts'
import { mayBeLeftCooling } from './left-cooling.ts'
import { withMould } from './mould.ts'
import { swappedAmong } from './swapped.ts'

/** An older decision says nothing about now. */
const DECISION_COUNTS_MS = 2 * HOUR_MS
const OBEYED_WITHIN_MS = 3 * HOUR_MS

/** All that alerts are judged by, for many buildings in a few reads. */
export async function factsOf(store: Store, buildingIds: string[], nowMs: number): Promise<BuildingFacts[]> {
  const buildingList = store.statements.list(buildingIds)
  const [buildings, gateways, rooms] = await Promise.all([
    buildingRows.all(store, { ids: buildingList }),
    gatewaysOf(store, buildingList, nowMs),
    roomsOf(store, buildingList, nowMs),
  ])
  const gatewaysIn = Map.groupBy(gateways, ({ buildingId }) => buildingId)
  const roomsIn = Map.groupBy(rooms, ({ buildingId }) => buildingId)
  const facts = buildings.map(async ({ lat, lng, hotWater, hotWaterState, cooling, ...building }) => {
    const own = gatewaysIn.get(building.id) ?? []
    const seen = own.flatMap(({ lastSeenAt }) => (lastSeenAt === null ? [] : [lastSeenAt]))
    const inside = await withMould(store, roomsIn.get(building.id) ?? [], { lat, lng }, nowMs)
    return {
      ...building,
      lastSeenAt: seen.length === 0 ? null : Math.max(...seen),
      gateways: own,
      rooms: inside,
      isDisinfectionOverdue: isDisinfectionOverdue({ hotWater, hotWaterState }, nowMs),
      isCoolingByHand: coolingSettingsOf({ cooling })?.season === 'cooling',
      swapped: await swappedAmong(store, inside, { lat, lng }, nowMs),
    }
  })
  return Promise.all(facts)
}

const buildingRows = statement((db, { ids }: { ids: unknown }, { isIn }) =>
  db
    .selectFrom('buildings')
    .select(['id', 'name', 'timezone', 'lat', 'lng', 'cooling', ...HOT_WATER_COLUMNS])
    .where(isIn('id', ids)),
)

const gatewayRows = statement((db, { buildingIds, sinceMs }: { buildingIds: unknown; sinceMs: number }, { isIn }) =>
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
        .where('startedAt', '>', sinceMs)
        .select((inner) => inner.fn.max('startedAt').as('newest'))
        .as('obeyedAt'),
    )
    .where(isIn('building_id', buildingIds)),
)

async function gatewaysOf(store: Store, buildingIds: unknown, nowMs: number) {
  const rows = await gatewayRows.all(store, { buildingIds, sinceMs: nowMs - OBEYED_WITHIN_MS })
  return rows.map(({ valves, commandSeq, ackedSeq, ackResult, relayReport, otherAgent, otherAgentAt, ...row }) => ({
    ...row,
    isDoubled: otherAgentOf({ relayReport, otherAgent, otherAgentAt }, nowMs) !== null,
    hasRooms: Number(valves) > 0,
    unanswered: commandSeq - (ackedSeq ?? 0),
    refuses: ackResult === 'rejected',
  }))
}

async function roomsOf(store: Store, buildingIds: unknown, nowMs: number) {
  const rows = await withOtherSensors(store, await roomRows.all(store, { buildingIds }))
  const ids = rows.map(({ id }) => id)
  const latest = await decisionsIn(store, ids, { sinceMs: nowMs - DECISION_COUNTS_MS, nowMs })
  const odd = ids.filter((id) => {
    const newest = latest.get(id)?.at(-1)
    return needsLastHours(newest) || mayBeLeftCooling(newest)
  })
  const decisions = await decisionsIn(store, odd, { sinceMs: nowMs - LONGEST_LOOK_BACK_MS, nowMs })
  const relays = await relaysByRoom(store, buildingIds)
  return rows.map((row) => ({
    ...row,
    ...ofAllSensors(row),
    relays: relays.get(row.id) ?? [],
    decisions: decisions.get(row.id) ?? latest.get(row.id)?.slice(-1) ?? [],
  }))
}

type RoomRow = Awaited<ReturnType<typeof roomRows.all>>[number]

/** What each sensor of a room needs by itself, though the room goes on by the others. */
function ofAllSensors({ first, others = [], batteryPct, measuredAt }: RoomRow & Partial<ByOthers>) {
  const sensors = [{ batteryPct, measuredAt: (first ?? { measuredAt }).measuredAt }, ...others]
  const batteries = sensors.flatMap((sensor) => sensor.batteryPct ?? [])
  const heard = sensors.flatMap((sensor) => sensor.measuredAt ?? [])
  return {
    batteryPct: batteries.length > 0 ? Math.min(...batteries) : null,
    allHeardAt: heard.length === sensors.length ? Math.min(...heard) : null,
  }
}

const roomRows = statement((db, { buildingIds }: { buildingIds: unknown }, { isIn }) =>
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
      'rooms.coolingTargetC',
      'rooms.watchedSince',
      'rooms.otherSensors',
      'sensors.address as sensorAddress',
      'sensors.batteryPct',
      'sensors.measuredAt',
      'sensors.temperatureC',
      'sensors.humidityPct',
    ])
    .select(SURFACE_COLUMNS.map((column) => `rooms.${column}` as const))
    .where(isIn('rooms.building_id', buildingIds))
    .orderBy('rooms.position')
    .orderBy('rooms.id'),
)

const relayRows = statement((db, { buildingIds }: { buildingIds: unknown }, { isIn }) =>
  db
    .selectFrom('valves')
    .innerJoin('gateways', 'gateways.id', 'valves.gatewayId')
    .select(['valves.roomId', 'valves.channel', 'gateways.relayReport'])
    .where(isIn('gateways.building_id', buildingIds))
    .where('gateways.relayReport', 'is not', null),
)

async function relaysByRoom(store: Store, buildingIds: unknown): Promise<Map<string, RelayCondition[]>> {
  const rows = await relayRows.all(store, { buildingIds })
  const found = new Map<string, RelayCondition[]>()
  for (const { roomId, channel, relayReport } of rows) {
    const relay = relayOf({ relayReport }, channel)
    if (relay) found.set(roomId, [...(found.get(roomId) ?? []), relay])
  }
  return found
}

const decisionRows = statement((db, { roomIds, sinceMs }: { roomIds: unknown; sinceMs: number }, { isIn }) =>
  db
    .selectFrom('decisions')
    .select(['roomId', 'decision'])
    .where(isIn('room_id', roomIds))
    .where('decidedAt', '>', sinceMs)
    .orderBy('decidedAt'),
)

interface DecisionSpan {
  sinceMs: number
  nowMs: number
}

async function decisionsIn(store: Store, roomIds: string[], { sinceMs, nowMs }: DecisionSpan) {
  const found = new Map<string, Decision[]>()
  if (roomIds.length === 0) return found
  const rows = await decisionRows.all(store, { roomIds: store.statements.list(roomIds), sinceMs })
  for (const row of rows) {
    const decision: Decision = JSON.parse(row.decision)
    // What is dated later was decided while the clock was ahead.
    if (decision.atMs <= nowMs) found.set(row.roomId, [...(found.get(row.roomId) ?? []), decision])
  }
  return found
}
