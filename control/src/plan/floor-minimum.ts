import { type FloorMinimum, floorMinima, floorMinimumAt } from '@hypocaust/domain'
import { FLOOR_RESPONSE, HOUR_MS, ROOM_ABOVE_BAND_K } from '@hypocaust/domain/facts'
import type { FloorReason, RoomSettings, StepInput } from '../room/types.ts'
import type { PlannedMinimum } from './plan-task.ts'
import type { Plan } from './planner.ts'

/** The valve opens for a part of each block, so the floor is now a little warmer, now a little colder than planned. */
const MARGIN_K = 0.3
/** Less than this of the block is not worth a sentence. */
const NOTICEABLE = 0.02

/** What a plan made now owes the floor; null where it owes nothing. */
export function plannedMinimum(settings: RoomSettings, nowMs: number): PlannedMinimum | null {
  if (!firstOwed(settings, nowMs)) return null
  const minima = floorMinima(settings, nowMs)
  const leastAt = (atMs: number) => {
    const minimum = floorMinimumAt(settings, minima, atMs)
    return minimum && minimum.leastC + MARGIN_K
  }
  return { leastAt, roomMostC: ({ highC }) => roomMostC(settings, highC) }
}

const roomMostC = ({ targetC, bandK, targetOf }: RoomSettings, highC: number): number =>
  targetOf === 'floor' ? Number.POSITIVE_INFINITY : Math.max(highC, targetC + bandK) + ROOM_ABOVE_BAND_K

/** Of full power, for each kelvin that a measured floor is below its minimum. */
const GAIN_PER_K = 0.5

/** What keeps a measured floor at its minimum where no plan can be made, from as early as the floor needs to answer. */
export function coldFloorShare({ settings, floorType, floorProbeC, nowMs }: StepInput, airC: number | null): number {
  if (floorProbeC === null || (airC ?? 0) > roomMostC(settings, settings.targetC)) return 0
  const minima = floorMinima(settings, nowMs)
  const soonMs = nowMs + FLOOR_RESPONSE[floorType].answersH * HOUR_MS
  const minimum = floorMinimumAt(settings, minima, nowMs) ?? floorMinimumAt(settings, minima, soonMs)
  return minimum ? Math.min(1, Math.max(0, GAIN_PER_K * (minimum.leastC + MARGIN_K - floorProbeC))) : 0
}

/** The minimum of now or the next one, where a plan heats more than it would without. */
export function floorReason(
  settings: RoomSettings,
  nowMs: number,
  { power, powerWithoutMinimum }: Pick<Plan, 'power' | 'powerWithoutMinimum'>,
): FloorReason | null {
  if (powerWithoutMinimum === null || power <= powerWithoutMinimum + NOTICEABLE) return null
  return firstOwed(settings, nowMs)
}

/** The first that counts: at its time, or when the room is not empty or off any more. */
function firstOwed(settings: RoomSettings, nowMs: number): FloorMinimum | null {
  const minima = floorMinima(settings, nowMs)
  const { away, vacancy, override } = settings
  const ends = [away, vacancy, override].flatMap((until) => until?.untilMs ?? [])
  const moments = [nowMs, ...minima.map(({ fromMs }) => fromMs), ...ends].filter((ms) => ms >= nowMs)
  for (const atMs of moments.toSorted((a, b) => a - b)) {
    const minimum = floorMinimumAt(settings, minima, atMs)
    if (minimum) return minimum
  }
  return null
}
