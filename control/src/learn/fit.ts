import { JUDGED_SLOTS } from '../model/direct.ts'
import type { IdleHours } from '../model/idle-hours.ts'
import { solveSymmetric } from '../model/linear.ts'
import { AIR_SHARE_AT, FROM_OUTSIDE, LEARNED, type Learned, modelOf, SPREAD, withinReason } from '../model/model.ts'
import { SENSED, SIZE } from '../model/motion.ts'
import { isMeanSound } from '../model/observer.ts'
import type { Profile } from '../model/profile.ts'
import { type RoomControl, SLOT_S } from '../room/state.ts'
import type { History, Slot } from '../room/types.ts'
import { withDisturbed } from './disturbed.ts'
import { learnDirect } from './learn-direct.ts'
import { near, suspectedIdle, withIdle } from './learn-idle.ts'
import { learnProfile } from './learn-profile.ts'
import { coarseStages, Replayer, type Stages, settledGain, type Tape, tapeOf, withProfile } from './replay.ts'
import { withMeasuredCurve } from './supply-curve.ts'

/** Each prediction is judged by how wrong it may be. */
const SCALES_K = [0.15, 0.22, 0.32, 0.4] as const
const HORIZONS = JUDGED_SLOTS.map((slots, i) => ({ slots, scaleK: SCALES_K[i] as number }))
/** How many of a room's last days the fit looks at. */
export const FITTED_DAYS = 14
const JUDGED = 1
const LONGEST = 24
/** Not a divisor of a day, so that all hours of the day are begun from. */
const START_EVERY = 7
const FEWEST_SLOTS = 40
const HELD_OUT = 0.3
const ROUNDS = 5
const HUBER = 1.5
/** Predictions that overlap are not independent witnesses. */
const DATA_WEIGHT = 0.9
const BETTER = 0.98
const PROFILE_BETTER = 0.99
const REJECTED_K = 1.5
/** After a model was found to be impossible, days that confirm even the floor of the book. */
const RELEARNED_DAYS = 3

const P = LEARNED.length

/** The nightly fit: the state with what the last days taught, or as it was when they taught nothing. */
export function fitRoom(state: RoomControl, history: History): RoomControl {
  const trusted = history
    .slice(-FITTED_DAYS * 48)
    .filter(
      (slot) => !state.distrusted.some((span) => slot.endMs >= span.fromMs && slot.endMs - SLOT_S * 1000 <= span.toMs),
    )
  const before = withinReason(state.learned)
  const asCommanded = withDisturbed(tapeOf(trusted, state), before)
  const idle = learnedIdle(asCommanded, before, state.idle ?? null)
  const tape = withIdle(asCommanded, idle)
  const starts = usefulStarts(tape)
  if (tape.slots.length < FEWEST_SLOTS || starts.length < 6) return state
  const cut = Math.floor(starts.length * (1 - HELD_OUT))
  const [seen, unseen] = [starts.slice(0, cut), starts.slice(cut)]
  const asItWas = judged(tape, before, unseen)
  const known = withMeasuredCurve(before, state.floorType, tape.slots)
  const candidate = improved(tape, known, seen, ROUNDS)
  const asFitted = judged(tape, candidate, unseen)
  const fitted = asFitted.cost < BETTER * asItWas.cost ? improved(tape, candidate, starts, 2) : before
  const accepted = fitted !== before && isPossible(tape, fitted)
  const learned = withMeasuredCurve(accepted ? fitted : before, state.floorType, tape.slots)
  const errorK = accepted ? asFitted.errorK : asItWas.errorK
  const days = tape.slots.length / 48
  const profile = learnedProfile(tape, learned, state.profile, unseen)
  const fit = {
    atMs: state.updatedMs,
    accepted: state.fit.accepted + (accepted ? 1 : 0),
    tried: state.fit.tried + 1,
    errorK,
    days,
    rejected: days >= 3 && errorK > REJECTED_K,
  }
  const brokenMs = accepted || days >= RELEARNED_DAYS ? null : (state.brokenMs ?? null)
  const isNew = accepted || profile !== state.profile || idle !== state.idle
  const belief = isNew ? replayedBelief(state, withProfile(tape, profile), learned) : state.belief
  const direct = learnDirect(tape, before, learned, state.direct, state.fit.atMs ?? 0)
  return { ...state, learned, profile, idle, direct, fit, brokenMs, belief }
}

/** Rooms that lose their heat at other times than asked are rare: the days have to be predicted much better. */
const IDLE_BETTER = 0.75
const IDLE_ROUNDS = 3

/**
 * Hours without heat, where all days are much better explained by them than by heat as it was asked for. Both are fitted
 * from the same beginning; those known already are kept until the other explanation is the better one.
 */
function learnedIdle(tape: Tape, before: Learned, known: IdleHours | null): IdleHours | null {
  const suspected = known ?? suspectedIdle(tape, before)
  const starts = usefulStarts(tape)
  if (!suspected || starts.length < 6) return known
  const halves = [starts.filter((_, i) => i % 2 === 0), starts.filter((_, i) => i % 2 === 1)] as const
  const costs = (hours: IdleHours | null) => {
    const idle = withIdle(tape, hours)
    const fitted = improved(idle, before, starts, IDLE_ROUNDS)
    return { fitted, each: halves.map((half) => judged(idle, fitted, half).cost) }
  }
  const heated = costs(null)
  const first = costs(suspected)
  const edged = near(suspected).map((hours) => ({
    hours,
    cost: judged(withIdle(tape, hours), first.fitted, starts).cost,
  }))
  const hours = edged.toSorted((a, b) => a.cost - b.cost)[0]?.hours ?? suspected
  const best = costs(hours)
  const least = known ? 1 : IDLE_BETTER
  const isBetter = best.each.every((cost, i) => cost < least * (heated.each[i] as number))
  if (!isBetter) return null
  return known?.fromMinute === hours.fromMinute && known.toMinute === hours.toMinute ? known : hours
}

/** Whether the estimate stays sound on all that was recorded, by the same steps as the running filter's. */
function isPossible(tape: Tape, learned: Learned): boolean {
  const means = new Replayer(tape, learned).filtered(settledGain(tape.floorType, learned))
  for (let at = 0; at < means.length; at += SIZE) if (!isMeanSound(means.subarray(at, at + SIZE))) return false
  return true
}

/** The profile that predicts unseen hours better, or the one there was. */
function learnedProfile(tape: Tape, learned: Learned, profile: Profile, unseen: number[]): Profile {
  const untilSlot = unseen[0] ?? 0
  const candidate = learnProfile(tape, learned, profile, untilSlot)
  const before = judged(tape, learned, unseen)
  const after = judged(withProfile(tape, candidate), learned, unseen)
  const isBetter = after.cost < PROFILE_BETTER * before.cost && after.nearCost <= before.nearCost
  return isBetter ? learnProfile(tape, learned, profile, tape.slots.length) : profile
}

/** Undisturbed slots from which at least the next two hours are known without a gap. */
function usefulStarts({ slots, disturbed }: Tape): number[] {
  const starts: number[] = []
  for (let start = 8; start + 4 < slots.length; start += START_EVERY)
    if (!disturbed[start] && spanMs(slots, start, start + 4) === 4 * SLOT_S * 1000) starts.push(start)
  return starts
}

const spanMs = (slots: Slot[], from: number, to: number) => (slots[to] as Slot).endMs - (slots[from] as Slot).endMs

/** Scaled errors of all predictions from the given starts; null where nothing was measured. */
function errors(tape: Tape, learned: Learned, gain: Float64Array, starts: number[], stages?: Stages): Float64Array {
  const replayer = new Replayer(tape, learned, stages)
  const means = replayer.filtered(gain)
  const mean = new Float64Array(SIZE)
  const result = new Float64Array(starts.length * HORIZONS.length)
  for (const [at, start] of starts.entries()) {
    for (let i = 0; i < SIZE; i++) mean[i] = means[start * SIZE + i] as number
    let horizon = 0
    for (let ahead = 1; ahead <= LONGEST && start + ahead < tape.slots.length; ahead++) {
      if (tape.disturbed[start + ahead] || spanMs(tape.slots, start, start + ahead) !== ahead * SLOT_S * 1000) break
      replayer.advance(mean, 0, start + ahead)
      const due = HORIZONS[horizon]
      if (due?.slots !== ahead) continue
      const { airC } = tape.slots[start + ahead] as Slot
      result[at * HORIZONS.length + horizon] = airC === null ? 0 : ((mean[SENSED] as number) - airC) / due.scaleK
      horizon += 1
    }
  }
  return result
}

const huber = (error: number) =>
  Math.abs(error) <= HUBER ? 0.5 * error * error : HUBER * (Math.abs(error) - 0.5 * HUBER)

function judged(tape: Tape, learned: Learned, starts: number[]): { cost: number; nearCost: number; errorK: number } {
  const all = errors(tape, learned, settledGain(tape.floorType, learned), starts)
  const scaleK = HORIZONS[JUDGED]?.scaleK ?? 1
  const ahead = starts.map((_, at) => Math.abs(all[at * HORIZONS.length + JUDGED] as number) * scaleK)
  const nearCost = all.reduce((sum, error, at) => (at % HORIZONS.length === 0 ? sum + huber(error) : sum), 0)
  return { cost: all.reduce((sum, error) => sum + huber(error), 0), nearCost, errorK: typical(ahead) }
}

/** The spread of a normal error with this median: an evening at the stove says nothing about the model. */
function typical(sizes: number[]): number {
  const sorted = sizes.toSorted((a, b) => a - b)
  return 1.48 * (sorted[Math.floor(sorted.length / 2)] ?? 0)
}

/** Damped Gauss-Newton on the robust errors and the prior. */
function improved(tape: Tape, from: Learned, starts: number[], rounds: number): Learned {
  let learned = from
  let damping = 0.1
  const gain = settledGain(tape.floorType, from)
  const coarse = (of: Learned) => coarseStages(modelOf(tape.floorType, of))
  let base = errors(tape, learned, gain, starts, coarse(learned))
  let cost = totalCost(base, learned)
  let slopes: Float64Array[] | null = null
  for (let round = 0; round < rounds; round++) {
    slopes ??= differences(tape, learned, gain, starts, base)
    const next = withinReason(gaussNewton(learned, base, slopes, damping))
    const nextErrors = errors(tape, next, gain, starts, coarse(next))
    const nextCost = totalCost(nextErrors, next)
    if (!(nextCost < cost)) {
      damping *= 8
      continue
    }
    if (cost - nextCost < 1e-3 * cost) return next
    learned = next
    slopes = null
    base = nextErrors
    cost = nextCost
    damping = Math.max(1e-3, damping / 4)
  }
  return learned
}

function totalCost(all: Float64Array, learned: Learned): number {
  const data = all.reduce((sum, error) => sum + huber(error), 0)
  return DATA_WEIGHT * data + learned.reduce((sum, value, i) => sum + priorCost(value, i), 0)
}

function differences(
  tape: Tape,
  learned: Learned,
  gain: Float64Array,
  starts: number[],
  base: Float64Array,
): Float64Array[] {
  const stages = coarseStages(modelOf(tape.floorType, learned))
  return LEARNED.map((name, i) => {
    // Inwards where a share is whole already.
    const h = 0.05 * (SPREAD[i] as number) * (i === AIR_SHARE_AT && (learned[i] ?? 0) > 0.5 ? -1 : 1)
    const moved = learned.map((value, j) => (j === i ? value + h : value))
    const own = FROM_OUTSIDE.has(name) ? stages : coarseStages(modelOf(tape.floorType, moved))
    return errors(tape, moved, gain, starts, own).map((error, at) => (error - (base[at] as number)) / h)
  })
}

/** A share to the air is rare, and none unless the data say so; all others are spread around the book's. */
const priorCost = (value: number, i: number): number =>
  i === AIR_SHARE_AT ? value / (SPREAD[i] as number) : 0.5 * (value / (SPREAD[i] as number)) ** 2

/** Slope and curvature of the same. */
function priorPull(value: number, i: number): { slope: number; curve: number } {
  const spread = SPREAD[i] as number
  return i === AIR_SHARE_AT ? { slope: 1 / spread, curve: 0 } : { slope: value / spread ** 2, curve: 1 / spread ** 2 }
}

function gaussNewton(learned: Learned, base: Float64Array, slopes: Float64Array[], damping: number): Learned {
  const matrix = new Float64Array(P * P)
  const right = new Float64Array(P)
  for (let at = 0; at < base.length; at++) {
    const error = base[at] as number
    const weight = DATA_WEIGHT * (Math.abs(error) <= HUBER ? 1 : HUBER / Math.abs(error))
    for (let i = 0; i < P; i++) {
      const slope = (slopes[i] as Float64Array)[at] as number
      right[i] = (right[i] as number) - weight * slope * error
      for (let j = 0; j <= i; j++)
        matrix[i * P + j] = (matrix[i * P + j] as number) + weight * slope * ((slopes[j] as Float64Array)[at] as number)
    }
  }
  for (let i = 0; i < P; i++) {
    const { slope, curve } = priorPull(learned[i] ?? 0, i)
    right[i] = (right[i] as number) - slope
    const seen = matrix[i * P + i] as number
    // Damped by the spread too: a share to the air has no curvature of its own, and days without heat show nothing of it.
    matrix[i * P + i] = seen + curve + damping * (seen + 1 / (SPREAD[i] as number) ** 2)
    for (let j = 0; j < i; j++) matrix[j * P + i] = matrix[i * P + j] as number
  }
  const step = solveSymmetric(matrix, right, P)
  const share = (learned[AIR_SHARE_AT] ?? 0) + (step?.[AIR_SHARE_AT] ?? 0)
  const taken = step && share < 0 ? stepWithout(matrix, right, AIR_SHARE_AT, -(learned[AIR_SHARE_AT] ?? 0)) : step
  return taken ? learned.map((value, i) => value + (taken[i] as number)) : learned
}

/** The step of all the others where one of them is given. */
function stepWithout(matrix: Float64Array, right: Float64Array, index: number, given: number): Float64Array | null {
  const rest = Float64Array.from(matrix)
  const wanted = right.map((value, i) => value - (matrix[i * P + index] as number) * given)
  for (let i = 0; i < P; i++) {
    rest[i * P + index] = 0
    rest[index * P + i] = 0
  }
  rest[index * P + index] = 1
  wanted[index] = given
  return solveSymmetric(rest, wanted, P)
}

/** The disturbances made up for the old model; with the new one they are what the week says. */
function replayedBelief(state: RoomControl, tape: Tape, learned: Learned): RoomControl['belief'] {
  const last = tape.slots.at(-1)
  if (!state.belief || !last || Math.abs(state.updatedMs - last.endMs) > 2 * SLOT_S * 1000) return state.belief
  const end = new Replayer(tape, learned).filtered(settledGain(tape.floorType, learned)).subarray(-SIZE)
  if (!end.every(Number.isFinite)) return state.belief
  return { ...state.belief, mean: state.belief.mean.map((value, i) => (i === SENSED ? value : (end[i] as number))) }
}
