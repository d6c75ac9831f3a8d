import {
  MOST_STEPS_A_DAY,
  minuteOf,
  type Programme,
  type ProgrammeStep,
  SETBACK_K,
  type Weekday,
} from '@hypocaust/domain/facts'
import { inOrder, MINUTES_A_DAY, setbackBefore, stepsOf } from './week.ts'

/** Edges snap to a quarter of an hour. */
export const SNAP_MIN = 15
/** Nobody needs a finer step of a programme. */
export const STEP_K = 0.5

export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** A part of a day with one temperature; `step` is its place among the steps, null where it goes on from the day before. */
export interface Block {
  step: number | null
  fromMin: number
  toMin: number
  setback: number
}

export function blocksOf(programme: Programme, day: Weekday): Block[] {
  const steps = stepsOf(programme, day).map(({ at, setback }, step) => ({ step, fromMin: minuteOf(at), setback }))
  const carried = { step: null, fromMin: 0, setback: setbackBefore(programme, day) }
  const starts: Omit<Block, 'toMin'>[] = steps[0]?.fromMin === 0 ? steps : [carried, ...steps]
  return starts.map((start, i) => ({ ...start, toMin: starts[i + 1]?.fromMin ?? MINUTES_A_DAY }))
}

const withSteps = (programme: Programme, day: Weekday, steps: ProgrammeStep[]): Programme => ({
  ...programme,
  [day]: inOrder(steps),
})

/** An edge moves between its neighbours, and never over them. */
export function moveEdge(programme: Programme, day: Weekday, index: number, toMin: number): Programme {
  const steps = stepsOf(programme, day)
  const step = steps[index]
  if (!step) return programme
  const [before, after] = [steps[index - 1], steps[index + 1]]
  const least = before ? minuteOf(before.at) + SNAP_MIN : 0
  const most = (after ? minuteOf(after.at) : MINUTES_A_DAY) - SNAP_MIN
  const snapped = Math.round(toMin / SNAP_MIN) * SNAP_MIN
  const at = clockOf(Math.max(least, Math.min(most, snapped)))
  return withSteps(
    programme,
    day,
    steps.map((each, i) => (i === index ? { ...step, at } : each)),
  )
}

/** Warmer or cooler, between the comfort temperature and the deepest setback. */
export function setSetback(programme: Programme, day: Weekday, { step, fromMin }: Block, setback: number): Programme {
  const within = Math.round(Math.max(0, Math.min(SETBACK_K.maximum, setback)) * 10) / 10
  const steps = stepsOf(programme, day)
  // What goes on from the day before becomes a step of its own.
  if (step === null) return withSteps(programme, day, [{ at: clockOf(fromMin), setback: within }, ...steps])
  return withSteps(
    programme,
    day,
    steps.map((each, i) => (i === step ? { ...each, setback: within } : each)),
  )
}

/** A new step in the middle of a block, which changes nothing yet; undefined where there is no place. */
export function split(programme: Programme, day: Weekday, { fromMin, toMin, setback }: Block): Programme | undefined {
  const steps = stepsOf(programme, day)
  const middle = Math.round((fromMin + toMin) / 2 / SNAP_MIN) * SNAP_MIN
  if (steps.length >= MOST_STEPS_A_DAY || middle <= fromMin || middle >= toMin) return undefined
  return withSteps(programme, day, [...steps, { at: clockOf(middle), setback }])
}

export const removeStep = (programme: Programme, day: Weekday, index: number): Programme =>
  withSteps(
    programme,
    day,
    stepsOf(programme, day).filter((_, i) => i !== index),
  )

const NIGHT_K = 2

/** Days that people know. */
export const TEMPLATES = {
  home: [
    { at: '00:00', setback: NIGHT_K },
    { at: '06:00', setback: 0 },
    { at: '22:30', setback: NIGHT_K },
  ],
  work: [
    { at: '00:00', setback: NIGHT_K },
    { at: '05:30', setback: 0 },
    { at: '08:00', setback: 1.5 },
    { at: '16:30', setback: 0 },
    { at: '22:30', setback: NIGHT_K },
  ],
  weekend: [
    { at: '00:00', setback: NIGHT_K },
    { at: '07:30', setback: 0 },
    { at: '23:30', setback: NIGHT_K },
  ],
} satisfies Record<string, ProgrammeStep[]>
export type Template = keyof typeof TEMPLATES

/** The rises of a day: what they come from and go to, for which the floor is heated before. */
export function risesOf(
  programme: Programme,
  day: Weekday,
): { step: number; fromMin: number; fromK: number; toK: number }[] {
  return blocksOf(programme, day).flatMap(({ step, fromMin, setback }, i, blocks) => {
    const before = i === 0 ? setbackBefore(programme, day) : (blocks[i - 1] as Block).setback
    return step !== null && setback < before ? [{ step, fromMin, fromK: before, toK: setback }] : []
  })
}
