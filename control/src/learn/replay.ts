import { type FloorType, localTime } from '@hypocaust/domain'
import { carried, discretise, discretiseNoisy } from '../model/linear.ts'
import { fullHeat, type Learned, type Model, modelOf, solarGainWm2, withWater } from '../model/model.ts'
import { allRates, DAYS, DAYS_TAU_S, HOURS, HOURS_TAU_S, PIPE, SENSED, SIZE } from '../model/motion.ts'
import { firstBelief, NOISE } from '../model/observer.ts'
import { type Profile, profileHour } from '../model/profile.ts'
import { type FacadeSun, facadeSun, type Location } from '../model/sun.ts'
import { forcing, THERMAL_STATES } from '../model/thermal.ts'
import { SLOT_S } from '../room/state.ts'
import type { History, Slot } from '../room/types.ts'

/** The week's slots with the sun on each wall worked out once. */
export type Tape = {
  slots: Slot[]
  sun: FacadeSun[]
  /** Index into the profile, and what it says for the slot. */
  hour: number[]
  /** Half hour of the local day. */
  time: number[]
  peopleWm2: number[]
  /** Half hours about which the model can learn nothing: something passing heated the room, such as a stove. */
  disturbed: Uint8Array
  floorType: FloorType
}

export function tapeOf(history: History, { floorType, location, timeZone, profile }: Recorded): Tape {
  const slots = history.filter(isSound)
  const sun = slots.map((slot) => facadeSun(slot.endMs - SLOT_S * 500, location, slot.solarWm2))
  const hour = slots.map((slot) => profileHour(timeZone, slot.endMs - SLOT_S * 500))
  const time = slots.map((slot) => Math.floor(localTime(timeZone, slot.endMs - SLOT_S * 500).minuteOfDay / 30))
  return withProfile(
    { slots, sun, hour, time, peopleWm2: [], disturbed: new Uint8Array(slots.length), floorType },
    profile,
  )
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

/** Half an hour of the thermal states at one power; weather, sun and people have no part in it. */
export type Stage = { power: number; transition: Float64Array; integral: Float64Array }
/** The half hour at any power. */
export type Stages = (power: number) => { stage: Stage; share: number }[]

const COARSE_POWERS = [0, 0.25, 0.5, 0.75, 1]

const stageOf = (model: Model, power: number): Stage => ({
  power,
  ...discretise(allRates(model, power), SIZE, SLOT_S),
})

/** Exact, as the filter moves. */
function exactStages(model: Model): Stages {
  const known = new Map<number, { stage: Stage; share: number }[]>()
  return (power) => {
    const made = known.get(power) ?? [{ stage: stageOf(model, power), share: 1 }]
    known.set(power, made)
    return made
  }
}

/** Between two of five powers the mixture of theirs: good enough to see which way a parameter leads, and much faster. */
export function coarseStages(model: Model): Stages {
  const stages = COARSE_POWERS.map((power) => stageOf(model, power))
  return (power) => {
    const place = power * (stages.length - 1)
    const left = Math.min(stages.length - 2, Math.floor(place))
    return [
      { stage: stages[left] as Stage, share: 1 - (place - left) },
      { stage: stages[left + 1] as Stage, share: place - left },
    ]
  }
}

const N = THERMAL_STATES
const ROWS = N * SIZE

/** Half an hour as an affine map, for all slots one after the other: x ← matrix·x + constant. */
type Maps = { matrix: Float64Array; constant: Float64Array }

/** A model made ready to run through the half hours of a tape. */
export class Replayer {
  private readonly tape: Tape
  private readonly model: Model
  private readonly stages: Stages
  private readonly heated: Maps
  private unheated: Maps | null = null
  /** What is warmer than the water gets nothing from it. */
  private readonly usefulBelowC: Float64Array
  private readonly hoursKept = Math.exp(-SLOT_S / HOURS_TAU_S)
  private readonly daysKept = Math.exp(-SLOT_S / DAYS_TAU_S)
  private readonly scratch = new Float64Array(N)

  /** `stages` may be those of another model that differs only in what comes from outside. */
  constructor(tape: Tape, learned: Learned, stages?: Stages) {
    const model = modelOf(tape.floorType, learned)
    this.tape = tape
    this.model = model
    this.stages = stages ?? exactStages(model)
    this.usefulBelowC = Float64Array.from(tape.slots, ({ supplyC, outdoorC }) => {
      const { offset, slope } = fullHeat(withWater(model, supplyC, outdoorC), outdoorC)
      return slope > 0 ? offset / slope : Number.POSITIVE_INFINITY
    })
    this.heated = mapsOf(tape, model, this.stages, (slot) => Math.min(1, Math.max(0, slot.power)))
  }

  /** One slot on, in place, for the mean that begins at `offset`. */
  advance(means: Float64Array, offset: number, index: number) {
    const { matrix, constant } = this.bringsHeat(means, offset, index) ? this.heated : this.unheatedMaps()
    const { scratch } = this
    for (let i = 0; i < N; i++) {
      let sum = constant[index * N + i] as number
      const row = index * ROWS + i * SIZE
      for (let j = 0; j < SIZE; j++) sum += (matrix[row + j] as number) * (means[offset + j] as number)
      scratch[i] = sum
    }
    for (let i = 0; i < N; i++) means[offset + i] = scratch[i] as number
    means[offset + HOURS] = (means[offset + HOURS] as number) * this.hoursKept
    means[offset + DAYS] = (means[offset + DAYS] as number) * this.daysKept
  }

  private bringsHeat(means: Float64Array, offset: number, index: number): boolean {
    const { airShare } = this.model
    const metC = (1 - airShare) * (means[offset + PIPE] as number) + airShare * (means[offset + SENSED] as number)
    return metC < (this.usefulBelowC[index] as number)
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

function mapsOf(tape: Tape, model: Model, stages: Stages, powerOf: (slot: Slot) => number): Maps {
  const count = tape.slots.length
  const maps = { matrix: new Float64Array(count * ROWS), constant: new Float64Array(count * N) }
  const forced = new Float64Array(N)
  for (const [index, slot] of tape.slots.entries()) {
    const watered = withWater(model, slot.supplyC, slot.outdoorC)
    const conditions = {
      outdoorC: slot.outdoorC,
      windMs: slot.windMs,
      solarGainWm2: solarGainWm2(model, tape.sun[index] as FacadeSun),
      peopleWm2: tape.peopleWm2[index] as number,
      disturbanceWm2: 0,
    }
    for (const { stage, share } of stages(powerOf(slot)))
      if (share > 0) addStage(maps, index, stage, share, forcing(watered, conditions, stage.power, forced))
  }
  return maps
}

function addStage(
  { matrix, constant }: Maps,
  index: number,
  { transition, integral }: Stage,
  share: number,
  forced: Float64Array,
) {
  for (let i = 0; i < N; i++) {
    let sum = 0
    for (let j = 0; j < N; j++) sum += (integral[i * SIZE + j] as number) * (forced[j] as number)
    const at = index * N + i
    constant[at] = (constant[at] as number) + share * sum
  }
  for (let at = 0; at < ROWS; at++) {
    const to = index * ROWS + at
    matrix[to] = (matrix[to] as number) + share * (transition[at] as number)
  }
}

const SLOT_READING_VARIANCE = 0.004
/** The open share at which the gain is worked out. */
const USUAL_POWER = 0.3

/** The gain the filter settles at with a reading every half hour. */
export function settledGain(floorType: FloorType, learned: Learned): Float64Array {
  const rates = allRates(modelOf(floorType, learned), USUAL_POWER)
  const { transition, grown } = discretiseNoisy(rates, SIZE, SLOT_S, NOISE)
  let spread: Float64Array = Float64Array.from(firstBelief(20).spread)
  const gain = new Float64Array(SIZE)
  for (let round = 0; round < 60; round++) {
    spread = carried(transition, spread, SIZE)
    for (let at = 0; at < spread.length; at++) spread[at] = (spread[at] as number) + (grown[at] as number)
    const total = (spread[SENSED * SIZE + SENSED] as number) + SLOT_READING_VARIANCE
    for (let i = 0; i < SIZE; i++) gain[i] = (spread[i * SIZE + SENSED] as number) / total
    const row = spread.slice(SENSED * SIZE, SENSED * SIZE + SIZE)
    spread = spread.map((value, at) => value - (gain[Math.floor(at / SIZE)] as number) * (row[at % SIZE] as number))
  }
  return gain
}
