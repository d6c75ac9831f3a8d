import { type Override, type Programme, type ScheduleInputs, setpointAt } from '@hypocaust/domain'
import { HOUR_S } from '@hypocaust/domain/facts'
import type { Setpoint } from './plant.ts'

/** A week plan, and what people change for an evening or a noon without notice. */
export type IrregularWeek = { startMs: number; programme: Programme; overrides: Spontaneous[] }
type Spontaneous = { setS: number; untilS: number; targetC: number }

const DAY_S = 24 * HOUR_S
const TARGET_C = 21
const BAND_K = 0.5

const workday = [
  { at: '05:30', setback: 0 },
  { at: '08:00', setback: 2 },
  { at: '16:30', setback: 0 },
  { at: '22:30', setback: 3 },
]
const freeDay = [
  { at: '07:30', setback: 0 },
  { at: '11:00', setback: 1 },
  { at: '17:00', setback: 0 },
  { at: '23:30', setback: 3 },
]
const WEEK: Programme = {
  monday: workday,
  tuesday: workday,
  wednesday: workday,
  thursday: workday,
  friday: workday,
  saturday: freeDay,
  sunday: freeDay,
}

/** Warmer in the evening, home at noon, out in the evening: one of them each day. */
const KINDS = [
  { hour: 19, hours: 3, targetC: 22 },
  { hour: 12, hours: 3, targetC: 21 },
  { hour: 18, hours: 4, targetC: 19 },
]

export function irregularWeek(startMs: number, days: number): IrregularWeek {
  const overrides = Array.from({ length: days }, (_, day) => {
    const { hour, hours, targetC } = KINDS[day % KINDS.length] as (typeof KINDS)[number]
    const setS = day * DAY_S + hour * HOUR_S
    return { setS, untilS: setS + hours * HOUR_S, targetC }
  })
  return { startMs, programme: WEEK, overrides }
}

/** All that has been said by a moment: nobody knows of an override before it is set. */
export function scheduleInputsAt({ startMs, programme, overrides }: IrregularWeek, knownS: number): ScheduleInputs {
  const last = overrides.findLast(({ setS }) => setS <= knownS)
  const override: Override | null = last
    ? {
        kind: 'target',
        targetC: last.targetC,
        setAtMs: startMs + last.setS * 1000,
        untilMs: startMs + last.untilS * 1000,
      }
    : null
  return { targetC: TARGET_C, steering: { kind: 'automatic' }, programme, override, away: null, timeZone: 'UTC' }
}

const known = new WeakMap<IrregularWeek, Map<string, Setpoint>>()

/** The same moments are asked for by every controller, many times. */
export function setpointInWeek(week: IrregularWeek, atS: number, knownS: number): Setpoint {
  const setpoints = known.get(week) ?? new Map<string, Setpoint>()
  known.set(week, setpoints)
  const key = `${week.overrides.findLastIndex(({ setS }) => setS <= knownS)} ${atS}`
  const setpoint = setpoints.get(key) ?? newSetpoint(week, atS, knownS)
  setpoints.set(key, setpoint)
  return setpoint
}

function newSetpoint(week: IrregularWeek, atS: number, knownS: number): Setpoint {
  const { setpointC, isLowered } = setpointAt(scheduleInputsAt(week, knownS), week.startMs + atS * 1000)
  return { targetC: setpointC, bandK: BAND_K, night: isLowered, occupied: !isLowered }
}
