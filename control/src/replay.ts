import type { FloorType } from '@hypocaust/domain'
import { discretise, multiply } from './linear.ts'
import { type Learned, type Model, modelOf, solarGainWm2 } from './model.ts'
import { DAYS, DAYS_TAU_S, firstBelief, HOURS, HOURS_TAU_S, noiseRate, SENSED, SIZE, stepMatrix } from './observer.ts'
import { SLOT_S } from './state.ts'
import { type FacadeSun, facadeSun, type Location } from './sun.ts'
import { type Conditions, effectivePower, forcing, rates } from './thermal.ts'
import type { History, Slot } from './types.ts'

/** The week's slots with the sun on each wall worked out once. */
export type Tape = { slots: Slot[]; sun: FacadeSun[]; floorType: FloorType }

export function tapeOf(history: History, floorType: FloorType, location: Location): Tape {
  const slots = history.filter(isSound)
  const sun = slots.map((slot) => facadeSun(slot.endMs - SLOT_S * 500, location, slot.solarWm2))
  return { slots, sun, floorType }
}

const isSound = (slot: Slot) =>
  [slot.endMs, slot.power, slot.outdoorC, slot.windMs, slot.solarWm2].every(Number.isFinite) &&
  (slot.airC === null || Number.isFinite(slot.airC))

const POWERS = [0, 0.25, 0.5, 0.75, 1]
const N = 4

/** A model made ready to run through half hours. */
export class Replayer {
  private readonly model: Model
  private readonly tape: Tape
  private readonly stages: { transition: Float64Array; integral: Float64Array }[]
  private readonly hoursKept = Math.exp(-SLOT_S / HOURS_TAU_S)
  private readonly daysKept = Math.exp(-SLOT_S / DAYS_TAU_S)

  constructor(tape: Tape, learned: Learned) {
    this.tape = tape
    this.model = modelOf(tape.floorType, learned)
    this.stages = POWERS.map((power) => discretise(rates(this.model, power, 0), N, SLOT_S))
  }

  /** One slot on, in place. */
  advance(mean: Float64Array, index: number) {
    const slot = this.tape.slots[index] as Slot
    const conditions: Conditions = {
      outdoorC: slot.outdoorC,
      windMs: slot.windMs,
      solarGainWm2: solarGainWm2(this.model, this.tape.sun[index] as FacadeSun),
      disturbanceWm2: (mean[HOURS] as number) + (mean[DAYS] as number),
    }
    const power = effectivePower(this.model, Math.min(1, Math.max(0, slot.power)), slot.outdoorC, mean[0] as number)
    const place = power * (POWERS.length - 1)
    const left = Math.min(POWERS.length - 2, Math.floor(place))
    const low = this.through(mean, conditions, left)
    const high = place > left ? this.through(mean, conditions, left + 1) : low
    for (let i = 0; i < N; i++)
      mean[i] = (low[i] as number) + (place - left) * ((high[i] as number) - (low[i] as number))
    mean[HOURS] = (mean[HOURS] as number) * this.hoursKept
    mean[DAYS] = (mean[DAYS] as number) * this.daysKept
  }

  private through(mean: Float64Array, conditions: Conditions, stage: number): Float64Array {
    const { transition, integral } = this.stages[stage] as { transition: Float64Array; integral: Float64Array }
    const w = forcing(this.model, conditions, POWERS[stage] as number)
    const result = new Float64Array(N)
    for (let i = 0; i < N; i++) {
      let sum = 0
      for (let j = 0; j < N; j++)
        sum +=
          (transition[i * N + j] as number) * (mean[j] as number) + (integral[i * N + j] as number) * (w[j] as number)
      result[i] = sum
    }
    return result
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
