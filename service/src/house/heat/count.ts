import { type RoomControl, roomHeat } from '@hypocaust/control'
import { DAY_MS, dateOf, HOUR_MS, localTime, momentOf } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { countAir } from '../air/count.ts'
import { slotsOf } from '../heating/slots.ts'
import { isNotMoving } from '../moving.ts'
import { lawSourceOf } from '../source/energy.ts'
import { ENERGY_COLUMNS } from '../source/settings.ts'
import { advanceCounters } from './counter.ts'
import { type HeatDay, heatDays, weatherDays } from './days.ts'
import { pastPrices } from './past-prices.ts'

const COUNT_EVERY_MS = 2 * HOUR_MS

interface CountParts {
  store: Store
  clock: Clock
}

/**
 * Counts the heat of the room that has waited longest, if one is due: yesterday and today, each day until it is over. The
 * coldest surface of the room is followed along with it.
 */
export async function countNext({ store, clock }: CountParts): Promise<boolean> {
  const nowMs = clock.now()
  const room = await store.db
    .selectFrom('rooms')
    .select(['id', 'buildingId', 'heatCountedAt'])
    .where('heatCountedAt', '<=', nowMs - COUNT_EVERY_MS)
    .where(isNotMoving('rooms.buildingId'))
    .orderBy('heatCountedAt')
    .limit(1)
    .executeTakeFirst()
  if (!room) return false
  if (await claim(store, room, nowMs)) {
    await countHeat(store, room, nowMs)
    await countAir(store, room.id, nowMs)
  }
  return true
}

/** Of several processes, one counts the room. */
async function claim({ db }: Store, { id, heatCountedAt }: { id: string; heatCountedAt: number }, nowMs: number) {
  const { numUpdatedRows } = await db
    .updateTable('rooms')
    .set({ heatCountedAt: nowMs })
    .where('id', '=', id)
    .where('heatCountedAt', '=', heatCountedAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What a room took since the day before a moment. */
export async function countHeat(store: Store, room: { id: string; buildingId: string }, nowMs: number): Promise<void> {
  const { db } = store
  const last = await db.selectFrom('controlStates').select('state').where('roomId', '=', room.id).executeTakeFirst()
  if (!last) return
  const building = await db
    .selectFrom('buildings')
    .select(['id', 'timezone', 'learnedSource', ...ENERGY_COLUMNS])
    .where('id', '=', room.buildingId)
    .executeTakeFirst()
  if (!building) return
  const { timezone } = building
  const yesterday = localTime(timezone, nowMs).day - 1
  const fromMs = momentOf(timezone, yesterday, 0)
  // The filter needs a day to know the floor.
  const slots = await slotsOf(store, room.id, fromMs - DAY_MS)
  if (slots.length === 0) return
  const state = JSON.parse(last.state) as RoomControl
  const source = lawSourceOf(building)
  const isForeign = state.floorType === 'electric' && (source?.kind === 'boiler' || source?.kind === 'district')
  const priceAt = isForeign ? null : await pastPrices(store, building)
  const heat = roomHeat(state, slots, source)
  const counted = { ...heat, hours: heat.hours.filter(({ startMs }) => startMs >= fromMs) }
  const weather = weatherDays(slots, timezone)
  const days = heatDays(counted, timezone, priceAt)
  await store.batch(days.map((day) => keepDay(store, room.id, { ...NO_WEATHER, ...weather.get(day.day), ...day })))
  await advanceCounters(store, room, { from: dateOf(yesterday), to: days.at(-1)?.day ?? dateOf(yesterday + 1) })
}

const NO_WEATHER = { airC: null, outdoorC: null }

type KeptDay = HeatDay & { airC: number | null; outdoorC: number | null }

function keepDay({ db }: Store, roomId: string, { day, kwhM2, spread, hours, costM2, airC, outdoorC }: KeptDay) {
  const row = { kwhM2, spread, hours: JSON.stringify(hours), costM2, airC, outdoorC }
  return db
    .insertInto('roomHeat')
    .values({ roomId, day, ...row })
    .onConflict((conflict) => conflict.columns(['roomId', 'day']).doUpdateSet(row))
}
