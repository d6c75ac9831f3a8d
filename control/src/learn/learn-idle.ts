import { DAY_MS } from '@hypocaust/domain/facts'
import { type IdleHours, isWithin } from '../model/idle-hours.ts'
import type { Learned } from '../model/model.ts'
import { HOURS, SIZE } from '../model/motion.ts'
import { Replayer, settledGain, type Tape } from './replay.ts'

const SLOTS_A_DAY = 48
const SLOT_MIN = 30
/** A timer of two to ten hours. */
const FEWEST_SLOTS = 4
const MOST_SLOTS = 20
/** The filter sees missing heat late. */
const LATE_SLOTS = 2
/** Heat has to have been asked for in them, on several days: hours without a wish are no hours without heat. */
const ASKED = 0.15
const FEWEST_DAYS = 5
/** So much less than in the other hours seems to reach the room. */
const MISSING_WM2 = 4

/** The hours in which heat seems to be missing the most, where enough was asked for; null where none seem to be. */
export function suspectedIdle(tape: Tape, learned: Learned): IdleHours | null {
  const usual = usualByTime(tape, new Replayer(tape, learned).filtered(settledGain(tape.floorType, learned)))
  const all = meanOf(usual)
  const asked = meanByTime(tape)
  let worst: { from: number; length: number; missing: number } | null = null
  for (let from = 0; from < SLOTS_A_DAY; from++)
    for (let length = FEWEST_SLOTS; length <= MOST_SLOTS; length++) {
      const inside = Array.from({ length }, (_, i) => (from + i) % SLOTS_A_DAY)
      if (meanOf(inside.map((at) => asked[at] as number)) < ASKED) continue
      const within = meanOf(inside.map((at) => usual[(at + LATE_SLOTS) % SLOTS_A_DAY] as number))
      const outside = (SLOTS_A_DAY * all - length * within) / (SLOTS_A_DAY - length)
      // Longer hours are better known.
      const missing = (outside - within) * Math.sqrt(length)
      if (outside - within > MISSING_WM2 && missing > (worst?.missing ?? 0)) worst = { from, length, missing }
    }
  if (!worst) return null
  const hours = hoursOf(worst.from, worst.from + worst.length)
  return askedDays(tape, hours) >= FEWEST_DAYS ? hours : null
}

/** The same hours with each edge up to an hour and a half earlier or later. */
export function near({ fromMinute, toMinute }: IdleHours): IdleHours[] {
  const edges = [-3, -2, -1, 0, 1, 2, 3]
  const [from, to] = [fromMinute / SLOT_MIN, toMinute / SLOT_MIN]
  return edges.flatMap((early) =>
    edges.flatMap((late) => {
      const length = (to + late - from - early + 2 * SLOTS_A_DAY) % SLOTS_A_DAY
      return length >= FEWEST_SLOTS && length <= MOST_SLOTS ? [hoursOf(from + early, to + late)] : []
    }),
  )
}

const hoursOf = (from: number, to: number): IdleHours => ({
  fromMinute: (((from % SLOTS_A_DAY) + SLOTS_A_DAY) % SLOTS_A_DAY) * SLOT_MIN,
  toMinute: (((to % SLOTS_A_DAY) + SLOTS_A_DAY) % SLOTS_A_DAY) * SLOT_MIN,
})

/** The tape as if nothing had been asked for in these hours. */
export function withIdle(tape: Tape, hours: IdleHours | null): Tape {
  if (!hours) return tape
  return {
    ...tape,
    slots: tape.slots.map((slot, i) =>
      isWithin(hours, SLOT_MIN * (tape.time[i] as number)) ? { ...slot, power: 0 } : slot,
    ),
  }
}

function askedDays(tape: Tape, hours: IdleHours): number {
  const byDay = new Map<number, number[]>()
  for (const [i, slot] of tape.slots.entries()) {
    if (!isWithin(hours, SLOT_MIN * (tape.time[i] as number))) continue
    const day = Math.floor(slot.endMs / DAY_MS)
    byDay.set(day, [...(byDay.get(day) ?? []), slot.power])
  }
  return [...byDay.values()].filter((powers) => meanOf(powers) >= ASKED).length
}

/** What of heat and people the model does not know, at each half hour of the day: the middle of all days. */
function usualByTime(tape: Tape, passing: Float64Array): number[] {
  const byTime = Array.from({ length: SLOTS_A_DAY }, (): number[] => [])
  for (const i of tape.slots.keys())
    byTime[tape.time[i] as number]?.push((passing[i * SIZE + HOURS] as number) + (tape.peopleWm2[i] as number))
  return byTime.map((values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
}

function meanByTime({ slots, time }: Tape): number[] {
  const byTime = Array.from({ length: SLOTS_A_DAY }, (): number[] => [])
  for (const [i, { power }] of slots.entries()) byTime[time[i] as number]?.push(power)
  return byTime.map(meanOf)
}

const meanOf = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
