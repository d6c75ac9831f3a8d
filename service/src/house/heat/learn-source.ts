import { learnQuality, type MeteredDay, meanSupplyC, type RoomControl, type Slot } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, localTime, momentOf } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { slotsOf } from '../heating/slots.ts'
import { isNotMoving } from '../moving.ts'
import { lawSource } from '../source/energy.ts'
import { ENERGY_COLUMNS, heatSourceOf } from '../source/settings.ts'
import { countedBy, metersOf } from './meters.ts'

const LEARNED_DAYS = 28
const COVERED = 0.9

/** Learns the efficiency of every heat pump whose electricity and heat are metered. */
export async function learnSources(store: Store, clock: Clock, stopping?: AbortSignal): Promise<void> {
  const nowMs = clock.now()
  const metered = await store.db
    .selectFrom('meterReadings')
    .innerJoin('gateways', 'gateways.id', 'meterReadings.gatewayId')
    .innerJoin('buildings', 'buildings.id', 'gateways.buildingId')
    .select(['buildings.id', 'buildings.timezone', ...ENERGY_COLUMNS])
    .distinct()
    .where('meterReadings.kind', '=', 'electricity')
    .where('meterReadings.hourAt', '>=', nowMs - 2 * DAY_MS)
    .where(isNotMoving('buildings.id'))
    .execute()
  for (const building of metered) {
    if (stopping?.aborted) return
    const source = heatSourceOf(building)
    const prior = source && lawSource(source)
    if (prior?.kind !== 'heat-pump') continue
    const learned = learnQuality(prior.quality, await meteredDays(store, building, nowMs))
    if (!learned) continue
    const learnedSource = JSON.stringify({ quality: Number(learned.quality.toFixed(3)), days: learned.days })
    await store.db.updateTable('buildings').set({ learnedSource }).where('id', '=', building.id).execute()
  }
}

/** The days before today on which both meters reported. */
async function meteredDays(store: Store, { id, timezone }: { id: string; timezone: string }, nowMs: number) {
  const today = localTime(timezone, nowMs).day
  const startOf = (day: number) => momentOf(timezone, day, 0)
  const [fromMs, toMs] = [startOf(today - LEARNED_DAYS), startOf(today)]
  const meters = await metersOf(store, id, fromMs, toMs)
  const rooms = await roomsOf(store, id)
  const [first] = rooms
  if (!first) return []
  const outdoorAt = outdoorOf(await slotsOf(store, first.roomId, fromMs))
  const states = rooms.map(({ state }) => state)
  const days: MeteredDay[] = []
  for (let day = today - LEARNED_DAYS; day < today; day++) {
    const span = [startOf(day), startOf(day + 1)] as const
    const electricity = countedBy(meters, 'electricity', ...span)
    const heat = countedBy(meters, 'heat', ...span)
    if (!electricity || !heat || electricity.covered < COVERED || heat.covered < COVERED) continue
    const hours = []
    for (let atMs = span[0]; atMs < span[1]; atMs += HOUR_MS) {
      const outdoorC = outdoorAt(atMs)
      const supplyC = outdoorC === null ? null : meanSupplyC(states, outdoorC)
      if (outdoorC === null || supplyC === null) continue
      hours.push({ heatKwh: countedBy(meters, 'heat', atMs, atMs + HOUR_MS)?.kwh ?? 0, outdoorC, supplyC })
    }
    if (hours.length >= COVERED * 24) days.push({ electricityKwh: electricity.kwh, hours })
  }
  return days
}

/** All rooms of a building see the same weather. */
function outdoorOf(slots: Slot[]): (atMs: number) => number | null {
  const byHour = new Map(slots.map(({ endMs, outdoorC }) => [Math.floor((endMs - 1) / HOUR_MS), outdoorC]))
  return (atMs) => byHour.get(Math.floor(atMs / HOUR_MS)) ?? null
}

async function roomsOf({ db }: Store, buildingId: string): Promise<{ roomId: string; state: RoomControl }[]> {
  const rows = await db
    .selectFrom('controlStates')
    .innerJoin('rooms', 'rooms.id', 'controlStates.roomId')
    .select(['controlStates.roomId', 'controlStates.state'])
    .where('rooms.buildingId', '=', buildingId)
    .where('rooms.floorType', '!=', 'electric')
    .orderBy('rooms.position')
    .execute()
  return rows.map(({ roomId, state }) => ({ roomId, state: JSON.parse(state) as RoomControl }))
}
