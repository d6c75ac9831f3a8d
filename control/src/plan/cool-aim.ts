import { HOUR_MS, type Setpoint, scheduleOf, setpointAt } from '@hypocaust/domain'
import type { Aim, RoomSettings } from '../room/types.ts'

/** Further than any plan looks. */
const AHEAD_MS = 50 * HOUR_MS
/** While nobody is there, or the room is off, no coolness is owed. */
const NOTHING_OWED_C = 45
/** An override is meant for the season in which it is set: it moves the target of cooling by so much at most. */
const OVERRIDE_K = 2

/** What a room that is cooled works towards: its target day and night, but nothing during an absence. */
export function coolAimAt(settings: RoomSettings, targetC: number, atMs: number): Aim {
  return coolAimOf(setpointAt(settings, atMs), settings.bandK, targetC)
}

/** The same at each moment ahead. */
export function coolAimsAhead(settings: RoomSettings, targetC: number, nowMs: number): (atMs: number) => Aim {
  const schedule = scheduleOf(settings, nowMs, nowMs + AHEAD_MS)
  const aims = schedule.map((setpoint) => ({
    untilMs: setpoint.untilMs,
    aim: isOwed(setpoint) ? coolAimOf(setpoint, settings.bandK, targetC) : nothingOwed(setpoint),
  }))
  return (atMs) =>
    (aims.find(({ untilMs }) => atMs < untilMs) ?? aims.at(-1))?.aim ?? coolAimAt(settings, targetC, atMs)
}

function coolAimOf({ setpointC, reason }: Setpoint, bandK: number, targetC: number): Aim {
  const overriddenC = Math.min(targetC + OVERRIDE_K, Math.max(targetC - OVERRIDE_K, setpointC))
  const wantedC = reason === 'override' ? overriddenC : targetC
  return { targetC: wantedC, lowC: wantedC - bandK, highC: wantedC + bandK, occupied: true, reason }
}

const isOwed = ({ steering, reason, isLowered }: Setpoint): boolean =>
  steering.kind === 'automatic' && reason !== 'away' && reason !== 'presence' && !(reason === 'calendar' && isLowered)

const nothingOwed = ({ reason }: Setpoint): Aim => ({
  ...{ targetC: NOTHING_OWED_C, lowC: 0, highC: NOTHING_OWED_C },
  occupied: false,
  reason,
})
