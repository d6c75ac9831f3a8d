import type { FloorType } from '@hypocaust/domain'
import { coarseStages, Replayer, type Tape, tapeOf } from '../learn/replay.ts'
import type { Part } from '../loops/evidence.ts'
import { LEARNED, type LearnedName, modelOf, nothingLearned } from '../model/model.ts'
import { PIPE, SENSED, SURFACE, WALL } from '../model/motion.ts'
import { firstBelief } from '../model/observer.ts'
import { noProfile } from '../model/profile.ts'
import type { Location } from '../model/sun.ts'
import type { Slot } from '../room/types.ts'

/** How far healthy rooms are from the book, one standard deviation each; of the sun, in shares of the book's. */
const HEALTHY: Partial<Record<LearnedName, number>> = {
  floorMass: 0.25,
  floorResistance: 0.25,
  heat: 0.25,
  supplyOffsetK: 1.5,
  supplySlope: 0.2,
  airLoss: 0.25,
  wallLoss: 0.25,
  wallMass: 0.25,
  sunEast: 0.8,
  sunSouth: 0.8,
  sunWest: 0.8,
  biasWm2: 3,
}
/** Floor and walls may begin warmer or colder than the book has them. */
const BEGINNING_K = { floor: 2.5, wall: 1.5 }
const STEP = 0.1
const SHOWN_EVERY = 2

/** What a room of the book would show every hour, heated as the slots say. */
export type Shapes = { tape: Tape; meanC: number[]; parts: Part[] }

export function shapesOf(floorType: FloorType, slots: Slot[], location: Location): Shapes {
  const tape = tapeOf(slots, { floorType, location, timeZone: 'UTC', profile: noProfile() })
  const meanC = runOf(tape)
  const parts = Object.entries(HEALTHY).map(([name, sd]) => {
    const at = LEARNED.indexOf(name as LearnedName)
    const moved = runOf(tape, { learned: nothingLearned().map((_, i) => (i === at ? STEP * sd : 0)) })
    return { shape: moved.map((value, i) => (value - (meanC[i] as number)) / STEP), mean: 0, sd: 1 }
  })
  const beginnings = [[PIPE, SURFACE], [WALL]].map((states, i) => {
    const sd = i === 0 ? BEGINNING_K.floor : BEGINNING_K.wall
    const moved = runOf(tape, { begin: (mean) => mean.map((value, at) => value + (states.includes(at) ? 1 : 0)) })
    return { shape: moved.map((value, at) => value - (meanC[at] as number)), mean: 0, sd }
  })
  return { tape, meanC, parts: [...parts, ...beginnings] }
}

type Run = { learned?: number[]; power?: (slot: Slot, i: number) => number; begin?: (mean: number[]) => number[] }

/** What the sensor of such a room shows at the end of every hour, or of so many slots. */
export function runOf(
  tape: Tape,
  { learned = nothingLearned(), power, begin }: Run = {},
  everySlots = SHOWN_EVERY,
): number[] {
  const slots = power ? tape.slots.map((slot, i) => ({ ...slot, power: power(slot, i) })) : tape.slots
  const replayer = new Replayer({ ...tape, slots }, learned, coarseStages(modelOf(tape.floorType, learned)))
  const first = firstBelief(slots.find(({ airC }) => airC !== null)?.airC ?? 20).mean
  const mean = Float64Array.from(begin ? begin([...first]) : first)
  const shown: number[] = []
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) replayer.advance(mean, 0, i)
    if (i % everySlots === everySlots - 1) shown.push(mean[SENSED] as number)
  }
  return shown
}

export const hourly = <T>(slots: T[]): T[] => slots.filter((_, i) => i % SHOWN_EVERY === SHOWN_EVERY - 1)
