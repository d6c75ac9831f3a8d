import type { FloorType } from '@hypocaust/domain'
import { discretise, multiply } from './linear.ts'
import { fullHeat, type Learned, type Model, modelOf, solarGainWm2 } from './model.ts'
import {
  DAYS,
  DAYS_TAU_S,
  firstBelief,
  HOURS,
  HOURS_TAU_S,
  noiseRate,
  PIPE,
  SENSED,
  SIZE,
  stepMatrix,
} from './observer.ts'
import { type Profile, profileHour } from './profile.ts'
import { SLOT_S } from './state.ts'
import { type FacadeSun, facadeSun, type Location } from './sun.ts'
import { forcing, rates } from './thermal.ts'
import type { History, Slot } from './types.ts'

/** The week's slots with the sun on each wall worked out once. */
export type Tape = {
  slots: Slot[]
  sun: FacadeSun[]
  /** Index into the profile, and what it says for the slot. */
  hour: number[]
  peopleWm2: number[]
  floorType: FloorType
}

export function tapeOf(history: History, { floorType, location, timeZone, profile }: Recorded): Tape {
  const slots = history.filter(isSound)
  const sun = slots.map((slot) => facadeSun(slot.endMs - SLOT_S * 500, location, slot.solarWm2))
  const hour = slots.map((slot) => profileHour(timeZone, slot.endMs - SLOT_S * 500))
  return withProfile({ slots, sun, hour, peopleWm2: [], floorType }, profile)
}

type Recorded = { floorType: FloorType; location: Location; timeZone: string; profile: Profile }

export const withProfile = (tape: Tape, profile: Profile): Tape => ({
  ...tape,
  peopleWm2: tape.hour.map((hour) => profile[hour] ?? 0),
})

const isSound = (slot: Slot) =>
  [slot.endMs, slot.power, slot.outdoorC, slot.windMs, slot.solarWm2].every(Number.isFinite) &&
  (slot.airC === null || Number.isFinite(slot.airC))

const POWERS = [0, 0.25, 0.5, 0.75, 1]
const N = 4
const SQUARE = N * N

/** Half an hour as an affine map, for all slots one after the other: x ← matrix·x + constant + push·disturbance. */
type Maps = { matrix: Float64Array; constant: Float64Array; push: Float64Array }
type Stage = { transition: Float64Array; integral: Float64Array }

/** A model made ready to run through the half hours of a tape. */
export class Replayer {
  private readonly tape: Tape
  private readonly heated: Maps
  private readonly unheated: Maps
  /** Above this temperature of the pipe layer the water brings nothing. */
  private readonly usefulBelowC: Float64Array
  private readonly hoursKept = Math.exp(-SLOT_S / HOURS_TAU_S)
  private readonly daysKept = Math.exp(-SLOT_S / DAYS_TAU_S)
  private readonly scratch = new Float64Array(N)

  constructor(tape: Tape, learned: Learned) {
    const model = modelOf(tape.floorType, learned)
    const stages = POWERS.map((power): Stage => discretise(rates(model, power, 0), N, SLOT_S))
    this.tape = tape
    this.heated = mapsOf(tape, model, stages, (slot) => Math.min(1, Math.max(0, slot.power)))
    this.unheated = mapsOf(tape, model, stages, () => 0)
    this.usefulBelowC = Float64Array.from(tape.slots, (slot) => {
      const { offset, slope } = fullHeat(model, slot.outdoorC)
      return slope > 0 ? offset / slope : Number.POSITIVE_INFINITY
    })
  }

  /** One slot on, in place. */
  advance(mean: Float64Array, index: number) {
    const useful = (mean[PIPE] as number) < (this.usefulBelowC[index] as number)
    const { matrix, constant, push } = useful ? this.heated : this.unheated
    const disturbanceWm2 = (mean[HOURS] as number) + (mean[DAYS] as number)
    const { scratch } = this
    for (let i = 0; i < N; i++) {
      let sum = (constant[index * N + i] as number) + (push[index * N + i] as number) * disturbanceWm2
      for (let j = 0; j < N; j++) sum += (matrix[index * SQUARE + i * N + j] as number) * (mean[j] as number)
      scratch[i] = sum
    }
    mean.set(scratch)
    mean[HOURS] = (mean[HOURS] as number) * this.hoursKept
    mean[DAYS] = (mean[DAYS] as number) * this.daysKept
  }

  /** The filter's mean after every slot; a gap in the slots is a new beginning. */
  filtered(gain: Float64Array): Float64Array[] {
    const { slots } = this.tape
    const means: Float64Array[] = []
    let mean: Float64Array | null = null
    for (const [index, slot] of slots.entries()) {
      const follows = index > 0 && slot.endMs - (slots[index - 1] as Slot).endMs === SLOT_S * 1000
      if (!mean || !follows) mean = Float64Array.from(firstBelief(slot.airC ?? 20).mean)
      else {
        mean = Float64Array.from(mean)
        this.advance(mean, index)
        if (slot.airC !== null) {
          const surprise = slot.airC - (mean[SENSED] as number)
          for (let i = 0; i < SIZE; i++) mean[i] = (mean[i] as number) + (gain[i] as number) * surprise
        }
      }
      means.push(mean)
    }
    return means
  }
}

/** Between two stages of power the map is taken as the mixture of theirs. */
function mapsOf(tape: Tape, model: Model, stages: Stage[], powerOf: (slot: Slot) => number): Maps {
  const count = tape.slots.length
  const maps = {
    matrix: new Float64Array(count * SQUARE),
    constant: new Float64Array(count * N),
    push: new Float64Array(count * N),
  }
  const pushed = pushOf(model)
  for (const [index, slot] of tape.slots.entries()) {
    const place = powerOf(slot) * (POWERS.length - 1)
    const left = Math.min(POWERS.length - 2, Math.floor(place))
    const solarWm2 = solarGainWm2(model, tape.sun[index] as FacadeSun)
    const outside = {
      outdoorC: slot.outdoorC,
      windMs: slot.windMs,
      solarGainWm2: solarWm2,
      peopleWm2: tape.peopleWm2[index] as number,
      disturbanceWm2: 0,
    }
    const unheated = forcing(model, outside, 0)
    const heat = fullHeat(model, slot.outdoorC).offset / model.pipeJk
    const add = (stage: number, share: number) =>
      addStage(maps, index, stages[stage] as Stage, share, unheated, (POWERS[stage] as number) * heat, pushed)
    add(left, 1 - (place - left))
    if (place > left) add(left + 1, place - left)
  }
  return maps
}

/** What one watt of disturbance does, whatever the weather. */
function pushOf(model: Model): Float64Array {
  const calm = { outdoorC: 0, windMs: 3.5, solarGainWm2: 0, peopleWm2: 0 }
  const without = forcing(model, { ...calm, disturbanceWm2: 0 }, 0)
  return forcing(model, { ...calm, disturbanceWm2: 1 }, 0).map((value, i) => value - (without[i] as number))
}

function addStage(
  { matrix, constant, push }: Maps,
  index: number,
  { transition, integral }: Stage,
  share: number,
  unheated: Float64Array,
  heat: number,
  pushed: Float64Array,
) {
  for (let i = 0; i < N; i++) {
    let constantSum = (integral[i * N] as number) * heat
    let pushSum = 0
    for (let j = 0; j < N; j++) {
      const reach = integral[i * N + j] as number
      constantSum += reach * (unheated[j] as number)
      pushSum += reach * (pushed[j] as number)
      const at = index * SQUARE + i * N + j
      matrix[at] = (matrix[at] as number) + share * (transition[i * N + j] as number)
    }
    constant[index * N + i] = (constant[index * N + i] as number) + share * constantSum
    push[index * N + i] = (push[index * N + i] as number) + share * pushSum
  }
}

const SLOT_READING_VARIANCE = 0.004

/** The gain the filter settles at with a reading every half hour. */
export function settledGain(floorType: FloorType, learned: Learned): Float64Array {
  const model = modelOf(floorType, learned)
  const { transition } = discretise(stepMatrix(model, 0.3, 0), SIZE, SLOT_S)
  const transposed = transition.map((_, at) => transition[(at % SIZE) * SIZE + Math.floor(at / SIZE)] as number)
  let spread: Float64Array = Float64Array.from(firstBelief(20).spread)
  const gain = new Float64Array(SIZE)
  for (let round = 0; round < 60; round++) {
    spread = multiply(multiply(transition, spread, SIZE), transposed, SIZE)
    for (let i = 0; i < SIZE; i++) spread[i * SIZE + i] = (spread[i * SIZE + i] as number) + SLOT_S * noiseRate(i)
    const total = (spread[SENSED * SIZE + SENSED] as number) + SLOT_READING_VARIANCE
    for (let i = 0; i < SIZE; i++) gain[i] = (spread[i * SIZE + SENSED] as number) / total
    const row = spread.slice(SENSED * SIZE, SENSED * SIZE + SIZE)
    spread = spread.map((value, at) => value - (gain[Math.floor(at / SIZE)] as number) * (row[at % SIZE] as number))
  }
  return gain
}
