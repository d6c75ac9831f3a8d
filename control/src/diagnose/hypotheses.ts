import { type Cause, FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import { sunPosition } from '@hypocaust/domain/facts'
import type { Factor } from '../loops/evidence.ts'
import { LEARNED, type Learned, nothingLearned } from '../model/model.ts'
import { facadeSun, type Location } from '../model/sun.ts'
import { SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'
import { hourly, runOf, type Shapes } from './room-shapes.ts'

/** Something wrong since so many days: how it would change what the room shows, and how much of that there may be. */
export type Hypothesis = { cause: Cause; sinceDays: number; changeK: number[]; factor: Factor }

const SLOTS_A_DAY = 48
/** A loop with air in it, or hardly opened: the heat that it gives is a third of the usual. */
const LITTLE_FLOW = 0.31
/** Water that is too cold gives between a third and a half. */
const COLD_SUPPLY = 0.5
const BEGAN_DAYS_AGO = [1, 2, 4, 7]
const RADIATOR: Learned = nothingLearned().map((_, i) => (i === LEARNED.indexOf('airShare') ? 1 : 0))
const CHANGED: Factor = { mean: 1, sd: 0.15 }

/** Of the loop's own heat, and of the floor. */
export function heatHypotheses({ tape, meanC }: Shapes): Hypothesis[] {
  const days = tape.slots.length / SLOTS_A_DAY
  const begun = [...BEGAN_DAYS_AGO.filter((ago) => ago < days), days]
  const changed = (cause: Cause, sinceDays: number, shownC: number[]): Hypothesis => {
    return { cause, sinceDays, changeK: minus(shownC, meanC), factor: CHANGED }
  }
  const heated = (cause: Cause, sinceDays: number, power: (slot: Slot) => number) => {
    const from = tape.slots.length - sinceDays * SLOTS_A_DAY
    return changed(cause, sinceDays, runOf(tape, { power: (slot, i) => (i < from ? slot.power : power(slot)) }))
  }
  const ofLoop = begun.flatMap((sinceDays): Hypothesis[] => {
    const third = heated('little_flow', sinceDays, ({ power }) => LITTLE_FLOW * power)
    const none = heated('actuator_stuck_closed', sinceDays, () => 0)
    return [
      third,
      { ...third, cause: 'supply_too_cold' },
      heated('supply_too_cold', sinceDays, ({ power }) => COLD_SUPPLY * power),
      none,
      { ...none, cause: 'source_without_heat' },
      heated('actuator_stuck_open', sinceDays, () => 1),
    ]
  })
  const floors = FLOOR_TYPES.filter((floorType) => floorType !== tape.floorType).map((floorType) =>
    changed('other_floor', days, runOf({ ...tape, floorType })),
  )
  return [...ofLoop, ...floors, changed('other_floor', days, runOf(tape, { learned: RADIATOR }))]
}

/** No heat in these hours of the clock. */
export const idleHypothesis = ({ tape, meanC }: Shapes, isIdleAt: (atMs: number) => boolean): Hypothesis => ({
  cause: 'heat_off_at_night',
  sinceDays: tape.slots.length / SLOTS_A_DAY,
  changeK: minus(runOf(tape, { power: (slot) => (isIdleAt(slot.endMs - SLOT_S * 500) ? 0 : slot.power) }), meanC),
  factor: CHANGED,
})

type Heated = { floorType: FloorType; slots: Slot[] }

/** The heat of another room arrives here, in the floor of one of both. */
export const swappedHypotheses = ({ tape, meanC }: Shapes, other: Heated): Hypothesis[] => {
  const powers = new Map(other.slots.map(({ endMs, power }) => [endMs, power]))
  const power = (slot: Slot) => powers.get(slot.endMs) ?? 0
  return [...new Set([tape.floorType, other.floorType])].map((floorType) => ({
    cause: 'sensors_swapped',
    sinceDays: tape.slots.length / SLOTS_A_DAY,
    changeK: minus(runOf({ ...tape, floorType }, { power }), meanC),
    factor: CHANGED,
  }))
}

/** The sun reaches the sensor for some hours of the day, and it shows so many kelvins more at 500 W/m². */
const SUNLIT: Factor = { mean: 4, sd: 2.5 }
const SUNLIT_DEG = [75, 105, 135, 165, 195, 225, 255, 285]
const SUNLIT_WITHIN_DEG = 30
const LOW_SUN_RAD = 0.09
/** Of the outdoor temperature a sensor on an outside wall shows this share. */
const WALL: Factor = { mean: 0.08, sd: 0.03 }

/** Of the place of the sensor. */
export function placeHypotheses({ tape, meanC }: Shapes, location: Location): Hypothesis[] {
  const slots = hourly(tape.slots)
  const sinceDays = tape.slots.length / SLOTS_A_DAY
  const lit = slots.map(({ endMs, solarWm2 }) => {
    const atMs = endMs - SLOT_S * 500
    const { east, south, west } = facadeSun(atMs, location, solarWm2)
    const { elevation, azimuth } = sunPosition(atMs, location)
    return { wm2: elevation > LOW_SUN_RAD ? Math.max(east, south, west) : 0, deg: (azimuth * 180) / Math.PI }
  })
  const inSun = SUNLIT_DEG.map((deg): Hypothesis => {
    const changeK = lit.map((sun) => (Math.abs(sun.deg - deg) < SUNLIT_WITHIN_DEG ? sun.wm2 / 500 : 0))
    return { cause: 'sensor_in_sun', sinceDays, changeK, factor: SUNLIT }
  })
  const wallK = slots.map(({ outdoorC }, i) => outdoorC - (meanC[i] as number))
  return [...inSun, { cause: 'sensor_on_cold_wall', sinceDays, changeK: wallK, factor: WALL }]
}

const minus = (a: number[], b: number[]): number[] => a.map((value, i) => value - (b[i] as number))
