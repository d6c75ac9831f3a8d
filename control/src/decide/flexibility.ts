import { FLEXIBILITY_DIRECTIONS, type FlexibilityDirection, FROST } from '@hypocaust/domain/facts'
import type { HeatSource } from '../model/efficiency.ts'
import type { PlannedComfort } from '../plan/planned-comfort.ts'
import type { StepInput } from '../room/types.ts'
import { isElectric, type PlannedRoom, plannedRooms } from './flexible-rooms.ts'
import type { LimitedRoom } from './grid-shares.ts'

/**
 * What a building can do for the grid from now on, beside what it plans anyway. In kWh that the heat source takes, as the
 * models of the rooms have them.
 */
export type RoomsOffer = {
  direction: FlexibilityDirection
  durationS: number
  /** What is planned for that time. */
  plannedKwh: number
  /** By how much less, or more, would be taken in that time. */
  kwh: number
  /** What is then taken later in the two days of a plan, beside what is planned for then; below 0 it is less. */
  laterKwh: number
  /** By how much longer or further the rooms are outside their comfort bands, all together. */
  kelvinHours: number
  /** Of the room that becomes colder, or warmer, the most: by how much. */
  mostK: number
  /** The rooms that take part. */
  roomIds: string[]
}

/** A heat source has run or rested for its minimum by then, and the steps of a plan are no longer. */
export const FLEXIBILITY_S = [1800, 3600, 5400, 7200, 14_400] as const
/** No offer cools a room nearer to the limit of its frost protection. */
const ABOVE_FROST_K = 3
/** A room that can give less is left alone. */
const LEAST_KWH = 0.005

/**
 * The offers of a building, one a direction and duration, from the plans of its rooms: with no heat in that time, or with
 * heat in that time as cheap as own sun makes it. Null where it is not known that the rooms are heated with electricity.
 */
export function flexibilityOf(rooms: LimitedRoom[], source: HeatSource | null, nowMs: number): RoomsOffer[] | null {
  if (!isElectric(source)) return null
  const planned = plannedRooms(rooms, source, nowMs).map((room) => ({ ...room, usual: room.planWith({}) }))
  return FLEXIBILITY_DIRECTIONS.flatMap((direction) =>
    FLEXIBILITY_S.map((durationS) => {
      const parts = planned.map((room) => partOf(room, direction, durationS))
      return together(direction, durationS, parts)
    }),
  )
}

type Usual = PlannedRoom & { usual: PlannedComfort }
type Part = Omit<RoomsOffer, 'direction' | 'durationS' | 'roomIds'> & { roomId: string | null }

function partOf(
  { id, usual, planWith, paidKwh, input, maxFloorC }: Usual,
  direction: FlexibilityDirection,
  durationS: number,
): Part {
  const plannedKwh = paidKwh(usual, 0, durationS)
  const path = planWith(changesFor(direction, input, durationS))
  const sign = direction === 'less' ? -1 : 1
  const kwh = sign * (paidKwh(path, 0, durationS) - plannedKwh)
  // A plan keeps these limits as far as it can; where it cannot, nothing is offered.
  const isCold = Math.min(...path.airC) < FROST.overC + ABOVE_FROST_K
  const isHot = path.warmestFloorC > Math.max(maxFloorC, usual.warmestFloorC)
  if (!(kwh > LEAST_KWH) || isCold || isHot)
    return { plannedKwh, kwh: 0, laterKwh: 0, kelvinHours: 0, mostK: 0, roomId: null }
  return {
    ...{ plannedKwh, kwh, roomId: id },
    laterKwh: paidKwh(path, durationS, Infinity) - paidKwh(usual, durationS, Infinity),
    kelvinHours: path.kelvinHours - usual.kelvinHours,
    mostK: Math.max(0, ...path.feltC.map((feltC, k) => sign * (feltC - (usual.feltC[k] as number)))),
  }
}

function changesFor(direction: FlexibilityDirection, input: StepInput, durationS: number): Partial<StepInput> {
  const { nowMs: fromMs, energy, limits = [] } = input
  const toMs = fromMs + 1000 * durationS
  if (direction === 'less') return { limits: [...limits, { fromMs, untilMs: toMs, share: 0 }] }
  return { energy: { prices: null, source: null, ...energy, sunny: [...(energy?.sunny ?? []), { fromMs, toMs }] } }
}

function together(direction: FlexibilityDirection, durationS: number, parts: Part[]): RoomsOffer {
  const sum = (value: (part: Part) => number) => parts.reduce((total, part) => total + value(part), 0)
  return {
    ...{ direction, durationS },
    plannedKwh: sum(({ plannedKwh }) => plannedKwh),
    kwh: sum(({ kwh }) => kwh),
    laterKwh: sum(({ laterKwh }) => laterKwh),
    kelvinHours: Math.max(
      0,
      sum(({ kelvinHours }) => kelvinHours),
    ),
    mostK: Math.max(0, ...parts.map(({ mostK }) => mostK)),
    roomIds: parts.flatMap(({ roomId }) => roomId ?? []),
  }
}
