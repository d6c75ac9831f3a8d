import {
  HOUR_MS,
  type Override,
  type ScheduledSetpoint,
  type Setpoint,
  scheduleOf,
  setpointAt,
} from '@hypocaust/domain'
import { FLOOR_RESPONSE, type FloorType } from '@hypocaust/domain/facts'
import type { Aim, RoomSettings } from './types.ts'

/** Further than any plan looks. */
const AHEAD_MS = 50 * HOUR_MS
/** While the room will be off or held by hand, a plan owes it nothing. */
const NOTHING_OWED_C = 5

/** What the settings ask for at a moment: programme and absence lower the aim, never the holder's target. */
export const aimAt = (settings: RoomSettings, atMs: number): Aim => aimOf(setpointAt(settings, atMs), settings.bandK)

/** What a plan made now works towards, at each moment ahead. Most ticks make no plan: nothing is worked out before it is
 * asked for. */
export function aimsAhead(settings: RoomSettings, floorType: FloorType, nowMs: number): (atMs: number) => Aim {
  let aims: { untilMs: number; aim: Aim }[] | null = null
  return (atMs) => {
    aims ??= plannedAims(settings, floorType, nowMs)
    return (aims.find(({ untilMs }) => atMs < untilMs) ?? aims.at(-1))?.aim ?? aimAt(settings, atMs)
  }
}

function plannedAims(settings: RoomSettings, floorType: FloorType, nowMs: number) {
  const wishes = { ...settings, override: longEnough(settings.override, floorType, nowMs) }
  return scheduleOf(wishes, nowMs, nowMs + AHEAD_MS).map((setpoint) => ({
    untilMs: setpoint.untilMs,
    aim: plannedAim(setpoint, settings.bandK),
  }))
}

/** An override is to be felt: a plan for an hour on a floor that answers after four would rather not heat at all. */
function longEnough(override: Override | null, floorType: FloorType, nowMs: number): Override | null {
  if (override?.kind !== 'target' || nowMs >= override.untilMs) return override
  const answeredMs = override.setAtMs + FLOOR_RESPONSE[floorType].answersH * HOUR_MS
  return { ...override, untilMs: Math.max(override.untilMs, answeredMs) }
}

function plannedAim(setpoint: ScheduledSetpoint, bandK: number): Aim {
  if (setpoint.steering.kind === 'automatic') return aimOf(setpoint, bandK)
  return aimOf({ ...setpoint, setpointC: NOTHING_OWED_C, isLowered: true }, bandK)
}

export const aimOf = ({ setpointC, isLowered, reason }: Setpoint, bandK: number): Aim => ({
  targetC: setpointC,
  lowC: setpointC - bandK,
  highC: setpointC + bandK,
  occupied: !isLowered,
  reason,
})
