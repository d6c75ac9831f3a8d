import type { HeatSource } from '../model/efficiency.ts'
import { isElectric, plannedRooms } from './flexible-rooms.ts'
import { gridShares, type LimitedRoom, type PowerLimit } from './grid-shares.ts'

/** What a limit on the heat source will leave untaken, in kWh that the source takes, as the models of the rooms have them. */
export type LimitPromise = {
  /** What the rooms would take in that time without the limit. */
  plannedKwh: number
  promisedKwh: number
  kelvinHours: number
  /** The rooms that this is about. */
  roomIds: string[]
}

/** From the plans of the rooms with their shares of the limit, and without. Null where the heat is not known to be made from electricity. */
export function limitPromise(
  rooms: LimitedRoom[],
  limit: PowerLimit,
  source: HeatSource | null,
  nowMs: number,
): LimitPromise | null {
  const shares = isElectric(source) ? gridShares(rooms, limit, source, nowMs) : null
  if (!isElectric(source) || !shares) return null
  const [fromS, untilS] = [Math.max(0, limit.fromMs - nowMs) / 1000, (limit.untilMs - nowMs) / 1000]
  const limited = plannedRooms(rooms, source, nowMs).flatMap(({ id, planWith, paidKwh, input }) => {
    const share = shares[id]
    if (share === undefined) return []
    const { fromMs, untilMs } = limit
    const usual = planWith({})
    const within = planWith({ limits: [...(input.limits ?? []), { fromMs, untilMs, share }] })
    return {
      id,
      plannedKwh: paidKwh(usual, fromS, untilS),
      takenKwh: paidKwh(within, fromS, untilS),
      kelvinHours: within.kelvinHours - usual.kelvinHours,
    }
  })
  const sum = (value: (room: (typeof limited)[number]) => number) =>
    limited.reduce((total, room) => total + value(room), 0)
  const plannedKwh = sum((room) => room.plannedKwh)
  return {
    plannedKwh,
    promisedKwh: Math.max(0, plannedKwh - sum((room) => room.takenKwh)),
    kelvinHours: Math.max(
      0,
      sum((room) => room.kelvinHours),
    ),
    roomIds: limited.map(({ id }) => id),
  }
}
