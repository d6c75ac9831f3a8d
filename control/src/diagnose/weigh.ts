import { CAUSES, type Cause, DAY_MS, type FloorType } from '@hypocaust/domain'
import { Evidence } from '../loops/evidence.ts'
import { type IdleHours, isIdle } from '../model/idle-hours.ts'
import type { Location } from '../model/sun.ts'
import { SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'
import { type Hypothesis, heatHypotheses, idleHypothesis, placeHypotheses, swappedHypotheses } from './hypotheses.ts'
import { frozen, oftenAired } from './observed.ts'
import { hourly, runOf, type Shapes, shapesOf } from './room-shapes.ts'

export type Examined = {
  floorType: FloorType
  timeZone: string
  slots: Slot[]
  /** Hours without heat, as learned. */
  idle: IdleHours | null
  /** All the heat there is leaves it too cold. */
  isShort: boolean
}

/** For how much more probable a cause makes the readings than a healthy room does, as a logarithm, and since when. */
export type Weight = { gain: number; sinceDays: number; changeK?: number[] }
export type Weights = {
  byCause: Record<Cause, Weight>
  /** For the sensor being that of another room, by the order of the others; of `byCause` the strongest of them. */
  swapped: Weight[]
  shapes: Shapes
  /** The most probable healthy room, or one with such a change: what it would show every hour. */
  fitted(changeK?: number[]): number[]
}

/** Days that are looked at. */
export const EXAMINED_DAYS = 10
const FEWEST_DAYS = 2
/** Warmer weather asks for no heat, and opens windows and blinds. */
const WARM_C = 15
/** Longer gaps are a new beginning. */
const LONGEST_GAP_SLOTS = 12
/** What remains of a healthy room when book, weather and sun are taken away. */
const NOISE = { sampleK: 0.12, walkKPerRootHour: 0.1 }
/** Heat that passes, of a stove or of guests, comes as a surprise: such an hour says less than others. */
const SURPRISING = 2.5
/** What never changes shows on nearly every day. */
const EVERY_DAY: Cause[] = ['other_floor', 'sensors_swapped']
const MOST_DAYS = 0.75
const SLOT_MS = SLOT_S * 1000
const NO_WEIGHT: Weight = { gain: 0, sinceDays: 0 }
/** A room that is too cold with all the heat there is rarely gets all of it. */
const SHORT_GAIN = 5
const SHORT_OF_HEAT: Cause[] = ['little_flow', 'actuator_stuck_closed', 'supply_too_cold', 'source_without_heat']
const OF_WATER: Cause[] = ['little_flow', 'supply_too_cold', 'source_without_heat', 'heat_off_at_night']

/** What the last days of a room say for each cause; null where too little of them is known. */
export function weigh(room: Examined, others: Examined[], location: Location, nowMs: number): Weights | null {
  const slots = connected(room.slots.filter(({ endMs }) => endMs > nowMs - EXAMINED_DAYS * DAY_MS))
  const hours = hourly(slots)
  const read = hours.flatMap(({ airC }, i) => (airC === null ? [] : [i]))
  if (read.length < FEWEST_DAYS * 24 || meanOutdoorC(slots) > WARM_C) return null
  const shapes = shapesOf(room.floorType, slots, location)
  const seen = (values: number[]) => read.map((i) => values[i] as number)
  const rest = read.map((i) => (hours[i]?.airC as number) - (shapes.meanC[i] as number))
  const parts = shapes.parts.map((part) => ({ ...part, shape: seen(part.shape) }))
  const calm = new Evidence(rest, read, parts, NOISE)
  const unrest = calm.surprises.map((surprise) => Math.max(1, (surprise / SURPRISING) ** 2))
  const evidence = new Evidence(rest, read, parts, { ...NOISE, unrest })
  const weighed = ({ cause, changeK, factor, sinceDays }: Hypothesis): Weight => {
    const shape = seen(changeK)
    const gain = evidence.gain(shape, factor, { mean: 0, sd: 0 })
    const isEnough = !EVERY_DAY.includes(cause) || showsOnMostDays(evidence.gains(shape), read)
    return {
      gain: isEnough ? gain : Math.min(0, gain),
      sinceDays,
      changeK: changeK.map((value) => factor.mean * value),
    }
  }
  const hypotheses = [...heatHypotheses(shapes), ...placeHypotheses(shapes, location), ...idleOf(room, others, shapes)]
  const of = (cause: Cause): Weight => {
    if (cause === 'sensor_frozen') return frozen(slots, runOf(shapes.tape, {}, 1))
    if (cause === 'window_often_open') return oftenAired(slots, nowMs)
    if (room.floorType === 'electric' && OF_WATER.includes(cause)) return NO_WEIGHT
    const weight = together(hypotheses.filter((each) => each.cause === cause).map(weighed))
    const isTold = room.isShort && SHORT_OF_HEAT.includes(cause) && weight.gain > 0
    return isTold ? { ...weight, gain: weight.gain + SHORT_GAIN } : weight
  }
  const swapped = others.map((other) => together(swappedHypotheses(shapes, other).map(weighed)))
  const byCause = Object.fromEntries(CAUSES.map((cause) => [cause, of(cause)])) as Record<Cause, Weight>
  return {
    byCause: { ...byCause, sensors_swapped: strongest(swapped) },
    swapped,
    shapes,
    fitted(changeK) {
      const factors = evidence.factors(changeK ? seen(changeK) : null)
      const partsK = (i: number) =>
        shapes.parts.reduce((sum, { shape }, at) => sum + (factors[at] as number) * (shape[i] as number), 0)
      return shapes.meanC.map((bookC, i) => bookC + (changeK?.[i] ?? 0) + partsK(i))
    },
  }
}

/** A timer of the boiler is one for all rooms, and a quick floor shows it first. */
function idleOf(room: Examined, others: Examined[], shapes: Shapes): Hypothesis[] {
  const idle = room.idle ?? others.find((other) => other.idle && other.floorType !== 'electric')?.idle
  return idle ? [idleHypothesis(shapes, (atMs) => isIdle(idle, room.timeZone, atMs))] : []
}

function showsOnMostDays(gains: number[], hours: number[]): boolean {
  const days = Map.groupBy(gains.keys(), (i) => Math.floor((hours[i] as number) / 24))
  const sums = [...days.values()].map((each) => each.reduce((sum, i) => sum + (gains[i] as number), 0))
  return sums.filter((sum) => sum > 0).length >= MOST_DAYS * sums.length
}

const meanOutdoorC = (slots: Slot[]) => slots.reduce((sum, { outdoorC }) => sum + outdoorC, 0) / slots.length

const strongest = (weights: Weight[]): Weight => weights.toSorted((a, b) => b.gain - a.gain)[0] ?? NO_WEIGHT

/** Each of them may be it. */
function together(weights: Weight[]): Weight {
  if (weights.length === 0) return NO_WEIGHT
  const best = strongest(weights)
  const sum = weights.reduce((total, { gain }) => total + Math.exp(gain - best.gain), 0)
  return { ...best, gain: best.gain + Math.log(sum / weights.length) }
}

/** The latest stretch without a long gap; in a short one the room is taken to go on as before, unread. */
function connected(slots: Slot[]): Slot[] {
  const filled: Slot[] = []
  for (const slot of slots) {
    const last = filled.at(-1)
    const gap = last ? Math.round((slot.endMs - last.endMs) / SLOT_MS) - 1 : 0
    if (gap > LONGEST_GAP_SLOTS) filled.length = 0
    else for (let i = 1; i <= gap && last; i++) filled.push({ ...last, airC: null, endMs: last.endMs + i * SLOT_MS })
    filled.push(slot)
  }
  return filled
}
