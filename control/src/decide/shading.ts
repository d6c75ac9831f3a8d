import type { Side } from '@hypocaust/domain/facts'
import { LEARNED, type LearnedName } from '../model/model.ts'
import { type PlannedPath, unheatedAirC } from '../plan/planner.ts'
import { holdsFloor } from '../room/held.ts'
import type { RoomControl } from '../room/state.ts'
import type { Shading, StepInput } from '../room/types.ts'
import { type AimAt, coolPlanOf, planTask, rungOf } from './decide.ts'

/** What blinds outside the window let in. */
const THROUGH_BLINDS = 0.25
/** Advice that changes less is not worth getting up for. */
const HELPS_K = 0.5
/** Blinds that keep out less than this, for each square metre of floor, may as well be open. */
const LEAST_SUN_WM2 = 1.5
const CLOUD_S = 3 * 3600
/** Walls that the sun has warmed go on warming the air. */
const LINGERS_S = 2 * 3600

const LEARNED_SUN: Record<Side, LearnedName> = { east: 'sunEast', south: 'sunSouth', west: 'sunWest' }

/**
 * When to close the blinds of the coming day: as late as the room still stays below its limit, or when the sun comes where
 * that is not enough. Null where the room stays below it by itself. What heat and coolness do is as planned; blinds change
 * the sun alone, and the model is linear, so only the difference of two unheated rooms is worked out.
 */
export function shadingOf(
  state: RoomControl,
  input: StepInput,
  aimAt: AimAt,
  planned: PlannedPath | null,
  before: Shading | null,
): Shading | null {
  const { settings, nowMs, forecast } = input
  const { blinds } = settings
  const rung = rungOf(state, nowMs)
  const isSeen = rung === 'measured' || rung === 'predicted'
  if (!blinds || !forecast || !state.belief || !isSeen || holdsFloor(settings)) return null
  // Advice that is being followed makes the room cooler, and is not over for that.
  if (before && before.closeMs <= nowMs && nowMs < before.openMs) return before

  const open = planTask(state, state.belief, input, aimAt)
  const shaded = planTask({ ...state, learned: shadedOf(state, blinds.sides) }, state.belief, input, aimAt)
  const unheated = unheatedAirC(open)
  const { endS } = unheated
  const keptOutWm2 = endS.map((end, k) => {
    const atMs = nowMs + (((endS[k - 1] ?? 0) + end) / 2) * 1000
    return open.outsideAt(atMs).solarGainWm2 - shaded.outsideAt(atMs).solarGainWm2
  })
  const sunny = comingSun(keptOutWm2, endS)
  const first = sunny[0]
  if (first === undefined) return null
  const sunEndS = endS[sunny.at(-1) as number] as number
  const steps = endS.filter((end) => end <= sunEndS + LINGERS_S).length
  const path = planned ?? (input.cooling ? coolPlanOf(state, input, aimAt)?.path : null)
  const expected = path ? path.airC : unheated.airC
  const openC = warmestC(expected, first, steps)
  if (openC <= blinds.aboveC) return null

  const closedC = (k: number): number => {
    const fromMs = nowMs + (endS[k - 1] ?? 0) * 1000
    const { airC } = unheatedAirC({ ...open, outsideAt: (atMs) => (atMs < fromMs ? open : shaded).outsideAt(atMs) })
    const closed = expected.map((each, i) => each - (unheated.airC[i] as number) + (airC[i] as number))
    return warmestC(closed, first, steps)
  }
  const closeAt = latest(sunny, (k) => closedC(k) <= blinds.aboveC)
  const reachedC = closedC(closeAt)
  if (openC - reachedC < HELPS_K) return null
  return {
    sides: [...blinds.sides],
    closeMs: nowMs + (endS[closeAt - 1] ?? 0) * 1000,
    openMs: nowMs + sunEndS * 1000,
    openC,
    closedC: reachedC,
  }
}

/** The steps of the sun that shines on the blinds now, or does next; a cloud does not end it. */
function comingSun(keptOutWm2: number[], endS: number[]): number[] {
  const sunny = [...keptOutWm2.keys()].filter((k) => (keptOutWm2[k] as number) > LEAST_SUN_WM2)
  const end = sunny.findIndex(
    (k, i) => i > 0 && (endS[k] as number) - (endS[sunny[i - 1] as number] as number) > CLOUD_S,
  )
  return end < 0 ? sunny : sunny.slice(0, end)
}

const shadedOf = ({ learned }: RoomControl, sides: readonly Side[]): number[] => {
  const names = sides.map((side) => LEARNED_SUN[side])
  // They are logarithms of a factor.
  return LEARNED.map((name, i) => (learned[i] ?? 0) + (names.includes(name) ? Math.log(THROUGH_BLINDS) : 0))
}

const warmestC = (airC: number[], from: number, steps: number): number => Math.max(...airC.slice(from, steps))

/** The last that is early enough; the first where none is. Later is never better. */
function latest(candidates: number[], isEarlyEnough: (k: number) => boolean): number {
  let [low, high] = [0, candidates.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isEarlyEnough(candidates[middle] as number)) low = middle
    else high = middle - 1
  }
  return candidates[low] as number
}
