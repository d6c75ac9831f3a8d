import type { FloorType } from '@hypocaust/domain'
import { apply, discretise, multiply } from './linear.ts'
import { fullHeat, type Learned, type Model, modelOf, solarGainWm2, withWater } from './model.ts'
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
  /** Half hours about which the model can learn nothing: something passing heated the room, such as a stove. */
  disturbed: Uint8Array
  floorType: FloorType
}

export function tapeOf(history: History, { floorType, location, timeZone, profile }: Recorded): Tape {
  const slots = history.filter(isSound)
  const sun = slots.map((slot) => facadeSun(slot.endMs - SLOT_S * 500, location, slot.solarWm2))
  const hour = slots.map((slot) => profileHour(timeZone, slot.endMs - SLOT_S * 500))
  return withProfile({ slots, sun, hour, peopleWm2: [], disturbed: new Uint8Array(slots.length), floorType }, profile)
}

type Recorded = { floorType: FloorType; location: Location; timeZone: string; profile: Profile }

export const withProfile = (tape: Tape, profile: Profile): Tape => ({
  ...tape,
  peopleWm2: tape.hour.map((hour) => profile[hour] ?? 0),
})

const isSound = (slot: Slot) =>
  [slot.endMs, slot.power, slot.outdoorC, slot.windMs, slot.solarWm2].every(Number.isFinite) &&
  (slot.airC === null || Number.isFinite(slot.airC)) &&
  (slot.supplyC === undefined || Number.isFinite(slot.supplyC))

const POWERS = [0, 0.25, 0.5, 0.75, 1]
const N = 4
const SQUARE = N * N

/** Half an hour as an affine map, for all slots one after the other: x ← matrix·x + constant + push·disturbance. */
type Maps = {
  matrix: Float64Array
  constant: Float64Array
  push: Float64Array
  /** Above this temperature of the pipe layer the water brings nothing. */
  usefulBelowC: Float64Array
}
export type Stage = { power: number; transition: Float64Array; integral: Float64Array; push: Float64Array }

/** A model made ready to run through the half hours of a tape. */
export class Replayer {
  private readonly tape: Tape
  private readonly model: Model
  private readonly stages: Stage[]
  private readonly heated: Maps
  private unheated: Maps | null = null
  private readonly hoursKept = Math.exp(-SLOT_S / HOURS_TAU_S)
  private readonly daysKept = Math.exp(-SLOT_S / DAYS_TAU_S)
  private readonly scratch = new Float64Array(N)

  /** `stages` may be those of another model that differs only in what comes from outside. */
  constructor(tape: Tape, learned: Learned, stages?: Stage[]) {
    const model = modelOf(tape.floorType, learned)
    this.tape = tape
    this.model = model
    this.stages = stages ?? stagesOf(model)
    this.heated = mapsOf(tape, model, this.stages, (slot) => Math.min(1, Math.max(0, slot.power)))
  }

  /** One slot on, in place, for the mean that begins at `offset`. */
  advance(means: Float64Array, offset: number, index: number) {
    const useful = (means[offset + PIPE] as number) < (this.heated.usefulBelowC[index] as number)
    const { matrix, constant, push } = useful ? this.heated : this.unheatedMaps()
    const disturbanceWm2 = (means[offset + HOURS] as number) + (means[offset + DAYS] as number)
    const { scratch } = this
    for (let i = 0; i < N; i++) {
      let sum = (constant[index * N + i] as number) + (push[index * N + i] as number) * disturbanceWm2
      for (let j = 0; j < N; j++) sum += (matrix[index * SQUARE + i * N + j] as number) * (means[offset + j] as number)
      scratch[i] = sum
    }
    for (let i = 0; i < N; i++) means[offset + i] = scratch[i] as number
    means[offset + HOURS] = (means[offset + HOURS] as number) * this.hoursKept
    means[offset + DAYS] = (means[offset + DAYS] as number) * this.daysKept
  }

  /** Only rooms whose water is sometimes colder than their floor need them. */
  private unheatedMaps(): Maps {
    this.unheated ??= mapsOf(this.tape, this.model, this.stages, () => 0)
    return this.unheated
  }

  /** The filter's mean after every slot, one after the other; a gap in the slots is a new beginning. */
  filtered(gain: Float64Array): Float64Array {
    const { slots } = this.tape
    const means = new Float64Array(slots.length * SIZE)
    for (const [index, slot] of slots.entries()) {
      const offset = index * SIZE
      const follows = index > 0 && slot.endMs - (slots[index - 1] as Slot).endMs === SLOT_S * 1000
      if (!follows) {
        means.set(firstBelief(slot.airC ?? 20).mean, offset)
        continue
      }
      means.copyWithin(offset, offset - SIZE, offset)
      this.advance(means, offset, index)
      if (slot.airC === null) continue
      const surprise = slot.airC - (means[offset + SENSED] as number)
      for (let i = 0; i < SIZE; i++) means[offset + i] = (means[offset + i] as number) + (gain[i] as number) * surprise
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
    usefulBelowC: new Float64Array(count),
  }
  const unheated = new Float64Array(N)
  for (const [index, slot] of tape.slots.entries()) {
    const place = powerOf(slot) * (POWERS.length - 1)
    const left = Math.min(POWERS.length - 2, Math.floor(place))
    const outside = {
      outdoorC: slot.outdoorC,
      windMs: slot.windMs,
      solarGainWm2: solarGainWm2(model, tape.sun[index] as FacadeSun),
      peopleWm2: tape.peopleWm2[index] as number,
      disturbanceWm2: 0,
    }
    forcing(model, outside, 0, unheated)
    const { offset, slope } = fullHeat(withWater(model, slot.supplyC, slot.outdoorC), slot.outdoorC)
    const heat = offset / model.pipeJk
    maps.usefulBelowC[index] = slope > 0 ? offset / slope : Number.POSITIVE_INFINITY
    addStage(maps, index, stages[left] as Stage, 1 - (place - left), unheated, heat)
    if (place > left) addStage(maps, index, stages[left + 1] as Stage, place - left, unheated, heat)
  }
  return maps
}

/** The half hour at each stage of power; weather, sun and people have no part in it. */
export function stagesOf(model: Model): Stage[] {
  const pushed = pushOf(model)
  return POWERS.map((power) => {
    const { transition, integral } = discretise(rates(model, power, 0), N, SLOT_S)
    return { power, transition, integral, push: apply(integral, pushed, N) }
  })
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
  stage: Stage,
  share: number,
  unheated: Float64Array,
  heat: number,
) {
  const { power, transition, integral } = stage
  const toPipe = (unheated[0] as number) + power * heat
  for (let i = 0; i < N; i++) {
    const row = i * N
    let sum = (integral[row] as number) * toPipe
    for (let j = 1; j < N; j++) sum += (integral[row + j] as number) * (unheated[j] as number)
    const at = index * N + i
    constant[at] = (constant[at] as number) + share * sum
    push[at] = (push[at] as number) + share * (stage.push[i] as number)
  }
  for (let at = 0; at < SQUARE; at++) {
    const to = index * SQUARE + at
    matrix[to] = (matrix[to] as number) + share * (transition[at] as number)
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
