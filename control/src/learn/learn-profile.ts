import type { Learned } from '../model/model.ts'
import { HOURS, HOURS_TAU_S, SIZE } from '../model/motion.ts'
import { noProfile, type Profile } from '../model/profile.ts'
import { SLOT_S } from '../room/state.ts'
import { Replayer, settledGain, type Tape } from './replay.ts'

/** The filter needs about this long to see what happens. */
const LATE_SLOTS = 2
const SHRINK_DAYS = 3
/** Of what is missing, so much is added each night. */
const UPDATE = 0.7
const MOST_WM2 = 25

/** What the filter put down to passing disturbances, by hour of the day: the middle of many days. */
export function learnProfile(tape: Tape, learned: Learned, profile: Profile, untilSlot: number): Profile {
  const means = new Replayer(tape, learned).filtered(settledGain(tape.floorType, learned))
  const faded = Math.exp((LATE_SLOTS * SLOT_S) / HOURS_TAU_S)
  const found = noProfile().map((): number[] => [])
  for (let slot = 8; slot + LATE_SLOTS < Math.min(untilSlot, tape.slots.length); slot++)
    found[tape.hour[slot] as number]?.push(faded * (means[(slot + LATE_SLOTS) * SIZE + HOURS] as number))
  const missing = found.map((values, hour) => mixed(values, [...values, ...(found[(hour + 24) % 48] ?? [])]))
  return profile.map((known, hour) => within(known + UPDATE * smoothed(missing, hour)))
}

/** A weekend has few days: what it lacks is taken from all days. */
function mixed(own: number[], all: number[]): number {
  const [ownDays, allDays] = [own.length / 2, all.length / 2]
  const mean = (ownDays * middleOf(own) + SHRINK_DAYS * middleOf(all)) / (ownDays + SHRINK_DAYS)
  return (mean * allDays) / (allDays + SHRINK_DAYS)
}

/** Together with the hours before and after, of the same kind of day. */
function smoothed(missing: number[], hour: number): number {
  const day = hour - (hour % 24)
  const at = (other: number) => missing[day + ((other + 24) % 24)] as number
  return 0.25 * at((hour % 24) - 1) + 0.5 * at(hour % 24) + 0.25 * at((hour % 24) + 1)
}

const within = (value: number) => Math.round(10 * Math.max(-MOST_WM2, Math.min(MOST_WM2, value))) / 10 + 0

/** Mean of the middle half: an evening at the stove is no habit. */
function middleOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const cut = Math.floor(sorted.length / 4)
  const middle = sorted.slice(cut, sorted.length - cut)
  return middle.length === 0 ? 0 : middle.reduce((sum, value) => sum + value, 0) / middle.length
}
