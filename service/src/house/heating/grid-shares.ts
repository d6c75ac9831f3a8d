import { GRID_SHARES_EVERY_S, gridShares } from '@hypocaust/control'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { raiseLive } from '../revisions.ts'
import { lawSourceOf } from '../source/energy.ts'
import { type KnownLimit, knownLimits, type SharedLimit, sharedLimitsOf } from '../source/power-limit.ts'
import { type ControlInputs, stepInputsOf } from './inputs.ts'

/** Floors of unknown size count as ordinary rooms. */
export const USUAL_AREA_M2 = 15

/**
 * What the limits of the grid leave each room: worked out anew every half hour, and when a limit is set, changed or
 * withdrawn; null where what is stored still holds.
 */
export function newGridShares(inputs: ControlInputs, availability: Availability, nowMs: number): SharedLimit[] | null {
  const { building, gateways } = inputs
  const limits = knownLimits(building, gateways, availability, nowMs)
  const before = sharedLimitsOf(building)
  if (limits.length === 0 && before.length === 0) return null
  const isKept = (shared: SharedLimit) =>
    nowMs >= shared.atMs && nowMs - shared.atMs < GRID_SHARES_EVERY_S * 1000 && limits.some(isSameAs(shared))
  if (limits.length === before.length && before.every(isKept)) return null
  return limits.map((limit) => before.find((each) => isKept(each) && isSameAs(limit)(each)) ?? shared(inputs, limit))

  function shared(inputs: ControlInputs, limit: KnownLimit): SharedLimit {
    const inputOf = stepInputsOf(inputs, availability, nowMs)
    const rooms = inputs.rooms.map((room) => ({
      id: room.id,
      areaM2: room.areaM2 ?? USUAL_AREA_M2,
      state: room.state,
      input: inputOf(room),
    }))
    return { ...limit, atMs: nowMs, shares: gridShares(rooms, limit, lawSourceOf(building), nowMs) ?? {} }
  }
}

const isSameAs = (a: KnownLimit) => (b: KnownLimit) =>
  a.fromMs === b.fromMs && a.untilMs === b.untilMs && a.powerW === b.powerW && a.reportedBy === b.reportedBy

export const withGridShares = (inputs: ControlInputs, shares: SharedLimit[]): ControlInputs => ({
  ...inputs,
  building: { ...inputs.building, gridShares: stored(shares) },
})

const stored = (shares: SharedLimit[]): string | null => (shares.length === 0 ? null : JSON.stringify(shares))

export const writeGridShares = (
  store: Store,
  buildingId: string,
  shares: SharedLimit[],
  nowMs: number,
): Compilable[] => [
  setShares.with(store, { buildingId, gridShares: stored(shares) }),
  raiseLive.with(store, { buildingId, nowMs }),
]

const setShares = statement((db, { buildingId, gridShares }: { buildingId: string; gridShares: string | null }) =>
  db.updateTable('buildings').set({ gridShares }).where('id', '=', buildingId),
)
