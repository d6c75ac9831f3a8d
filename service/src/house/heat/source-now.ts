import type { Slot, SupplySetpoint } from '@hypocaust/control'
import { DAY_MS, type HeatSourceNow } from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { slotsOf } from '../heating/slots.ts'
import { runOf } from '../loop-run/run.ts'
import { screedSetC } from '../loop-run/screed-run.ts'
import { circuitsNow } from '../source/circuits.ts'
import { lacksPrices } from '../source/energy.ts'
import { ENERGY_COLUMNS } from '../source/settings.ts'
import { supplyLimitsOf, supplyOf, supplySetpointOf, withinLimits } from '../source/supply.ts'

interface Parts {
  store: Store
  availability: Availability
}

/** What is asked of the heat source, what it gives, and which room needs it; `isSeen` chooses the rooms that may be named. */
export async function sourceNow(
  { store, availability }: Parts,
  buildingId: string,
  nowMs: number,
  isSeen: (roomId: string) => boolean,
): Promise<HeatSourceNow> {
  const { db } = store
  const building = await db
    .selectFrom('buildings')
    .select(['id', 'timezone', 'supplySetpoint', 'loopRun', ...ENERGY_COLUMNS])
    .where('id', '=', buildingId)
    .executeTakeFirstOrThrow(() => errors.noSuchBuilding(buildingId))
  const gateways = await db
    .selectFrom('gateways')
    .select(['sourceReport', 'lastSeenAt'])
    .where('buildingId', '=', buildingId)
    .execute()
  const decidesByRooms = supplyLimitsOf(building) !== null
  const lacks_prices = await lacksPrices(store, building, nowMs)
  const reported = supplyOf(gateways, availability, nowMs)
  if (!decidesByRooms && !reported) return { decides: 'source', lacks_prices, supply: null }
  const rooms = await db
    .selectFrom('rooms')
    .select(['id', 'name'])
    .where('buildingId', '=', buildingId)
    .where('floorType', '!=', 'electric')
    .execute()
  const valves = await db
    .selectFrom('valves')
    .innerJoin('gateways', 'gateways.id', 'valves.gatewayId')
    .where('gateways.buildingId', '=', buildingId)
    .select(['valves.roomId', 'valves.gatewayId', 'valves.channel', 'gateways.sourceReport'])
    .orderBy('valves.channel')
    .execute()
  const setpoint = supplySetpointOf(building, nowMs)
  const run = runOf(building.loopRun)
  const screedC = run?.kind === 'screed' && !run.ended ? withinLimits(screedSetC(run, nowMs), building) : null
  const roomId = screedC === null ? roomIdOf(setpoint) : null
  const slots = await Promise.all(rooms.map(({ id }) => slotsOf(store, id, nowMs - DAY_MS)))
  return {
    decides: decidesByRooms ? 'rooms' : 'source',
    lacks_prices,
    supply: {
      wanted: screedC ?? setpoint?.setC ?? null,
      why: screedC !== null ? 'screed_heating' : setpoint ? WHY[setpoint.reason.kind] : 'undecided',
      room: rooms.find(({ id }) => id === roomId && isSeen(id)) ?? null,
      others: screedC === null ? (setpoint?.othersC ?? null) : null,
      set: reported?.setC ?? null,
      measured: reported?.measuredC ?? null,
      circuits: circuitsNow(valves, screedC === null ? setpoint : null).flatMap(({ roomIds, ...water }) => {
        const seen = rooms.filter(({ id }) => roomIds.includes(id) && isSeen(id))
        return seen.length > 0 ? [{ rooms: seen, ...water }] : []
      }),
      day: dayOf(slots.flat()),
    },
  }
}

const WHY = { room: 'room', curve: 'curve', 'no-demand': 'no_demand' } as const

const roomIdOf = (setpoint: SupplySetpoint | null): string | null =>
  setpoint && setpoint.reason.kind !== 'no-demand' ? setpoint.reason.roomId : null

/** Of the loops' half hours; null where none is recorded. */
function dayOf(slots: Slot[]): NonNullable<HeatSourceNow['supply']>['day'] {
  if (slots.length === 0) return null
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const flowing = slots.filter(({ supplyC, power }) => supplyC !== undefined && power > 0)
  const open = sum(flowing.map(({ power }) => power))
  const mean = open > 0 ? sum(flowing.map(({ supplyC = 0, power }) => supplyC * power)) / open : null
  return {
    open_share: Math.round((100 * sum(slots.map(({ power }) => power))) / slots.length) / 100,
    mean: mean === null ? null : Math.round(10 * mean) / 10,
  }
}
