import type { Learned } from '../model/model.ts'
import { HOURS, SIZE } from '../model/motion.ts'
import { SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'
import { Replayer, settledGain, type Tape } from './replay.ts'

/** Heat in the dark, with the loop shut, that is so much more than usual at its hour is no property of the room. */
const UNUSUAL_WM2 = 20
const DARK_WM2 = 10
const SHUT = 0.1
/** The filter sees it late, and floor and walls keep what it brought. */
const BEFORE_SLOTS = 2
const AFTER_SLOTS = 10
/** A room to which this happens more often has it as its nature. */
const MOST = 0.25

const SLOTS_A_DAY = 48

/** The tape with the half hours marked in which a stove or many guests heated the room, and those just after. */
export function withDisturbed(tape: Tape, learned: Learned): Tape {
  const disturbed = new Uint8Array(tape.slots.length)
  const passing = new Replayer(tape, learned).filtered(settledGain(tape.floorType, learned))
  const usual = usualOf(tape, passing)
  for (const [index, slot] of tape.slots.entries()) {
    const surplus = (passing[index * SIZE + HOURS] as number) - (usual[timeOf(slot)] as number)
    if (slot.solarWm2 > DARK_WM2 || slot.power > SHUT || surplus < UNUSUAL_WM2) continue
    disturbed.fill(1, Math.max(0, index - BEFORE_SLOTS), index + AFTER_SLOTS + 1)
  }
  const share = disturbed.reduce((sum, each) => sum + each, 0) / Math.max(1, disturbed.length)
  return share > MOST ? tape : { ...tape, disturbed }
}

/** What the filter put down to passing disturbances at each half hour of the day: the middle of all days. */
function usualOf(tape: Tape, passing: Float64Array): number[] {
  const byTime = Array.from({ length: SLOTS_A_DAY }, (): number[] => [])
  for (const [index, slot] of tape.slots.entries()) byTime[timeOf(slot)]?.push(passing[index * SIZE + HOURS] as number)
  return byTime.map((values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
}

const timeOf = ({ endMs }: Slot) => Math.floor(endMs / (SLOT_S * 1000)) % SLOTS_A_DAY
