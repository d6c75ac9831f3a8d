import { HOUR_MS, isHeld, type ScheduledSetpoint, type Setpoint, scheduleOf, setpointAt } from '@hypocaust/domain'
import { FLOOR_RESPONSE, type FloorType } from '@hypocaust/domain/facts'
import type { Aim, MouldWarming, RoomSettings } from '../room/types.ts'

/** Further than any plan looks. */
const AHEAD_MS = 50 * HOUR_MS
/** While the room will be off or held by hand, a plan owes it nothing. */
const NOTHING_OWED_C = 5

/** In the morning the air of a room that is held is a little below its setpoint. */
const REACHED_WITHIN_K = 0.2

/** From when on a setpoint counts as reached. */
export const reachedAtC = (setpointC: number, { strategy, bandK }: RoomSettings): number =>
  setpointC - (strategy === 'saving' ? bandK : REACHED_WITHIN_K)

/** What the settings ask for at a moment: programme and absence lower the aim, never the holder's target. */
export const aimAt = (settings: RoomSettings, atMs: number): Aim =>
  aimOf(warmed(setpointAt(settings, atMs), settings), settings.bandK)

/** Against mould a room is kept a little warmer than programme and target say, but not than a person has just said. */
export function warmed<S extends Setpoint>(setpoint: S, { mould }: Pick<RoomSettings, 'mould'>): S {
  const raiseK = mould ? mouldRaiseK(setpoint, mould) : 0
  return raiseK > 0 ? { ...setpoint, setpointC: setpoint.setpointC + raiseK } : setpoint
}

export const mouldRaiseK = ({ steering, reason, setpointC }: Setpoint, { dryAtC, mostK }: MouldWarming): number =>
  steering.kind === 'automatic' && reason !== 'override' ? Math.min(mostK, Math.max(0, dryAtC - setpointC)) : 0

/** What a plan made now works towards, at each moment ahead. Most ticks make no plan: nothing is worked out before it is
 * asked for. */
export function aimsAhead(settings: RoomSettings, floorType: FloorType, nowMs: number): (atMs: number) => Aim {
  let aims: PlannedAim[] | null = null
  return (atMs) => {
    aims ??= plannedAims(settings, floorType, nowMs)
    return (aims.find(({ untilMs }) => atMs < untilMs) ?? aims.at(-1))?.aim ?? aimAt(settings, atMs)
  }
}

function plannedAims(settings: RoomSettings, floorType: FloorType, nowMs: number): PlannedAim[] {
  const wish = wishNow(settings, nowMs)
  const feltMs = wish ? feltBy(wish, settings, floorType, nowMs) : nowMs
  const soon = scheduleOf(settings, nowMs, feltMs)
  const later = scheduleOf(settings, feltMs, nowMs + AHEAD_MS)
  const raised = wish ? soon.map((setpoint) => atLeast(setpoint, wish.targetC)) : soon
  const aims = [...raised, ...later].map((setpoint) => ({
    untilMs: setpoint.untilMs,
    aim: plannedAim(warmed(setpoint, settings), settings.bandK),
  }))
  for (let i = aims.length - 2; i >= 0; i--) prepare(aims[i] as PlannedAim, aims[i + 1] as PlannedAim)
  return aims
}

type PlannedAim = { untilMs: number; aim: Aim }

/**
 * A small change in the night does not delay the heating for the morning: the upper edge of a wish that a
 * higher setpoint follows is that of the higher one, or the floor would be warmed only when it is due.
 */
function prepare({ aim }: PlannedAim, { aim: next }: PlannedAim) {
  if (aim.occupied && next.targetC >= aim.targetC) aim.highC = Math.max(aim.highC, next.highC)
}

type WishNow = { targetC: number; setAtMs: number }

/** What a person has asked for now: an override, or a target that holds for a while. */
function wishNow(settings: RoomSettings, nowMs: number): WishNow | null {
  const { override, hold, targetC } = settings
  const { reason } = setpointAt(settings, nowMs)
  if (override?.kind === 'target' && reason === 'override') return override
  return hold && reason === 'target' && isHeld(settings, nowMs) ? { targetC, setAtMs: hold.setAtMs } : null
}

/**
 * When a wish that warms shall have been felt: a plan for an hour on a floor that answers after four would rather not heat
 * at all, so it plans as if the wish lasted until the floor answers. Now, where it does not warm.
 */
function feltBy(wish: WishNow, settings: RoomSettings, floorType: FloorType, nowMs: number): number {
  const without = setpointAt({ ...settings, override: null, hold: null }, nowMs)
  const warms = without.steering.kind !== 'automatic' || wish.targetC > without.setpointC
  // A clock that was set back leaves one that was set in the future.
  const setAtMs = Math.min(nowMs, wish.setAtMs)
  return warms ? Math.max(nowMs, setAtMs + FLOOR_RESPONSE[floorType].answersH * HOUR_MS) : nowMs
}

const atLeast = (setpoint: ScheduledSetpoint, targetC: number): ScheduledSetpoint =>
  setpoint.steering.kind === 'automatic' && setpoint.setpointC >= targetC
    ? setpoint
    : { ...setpoint, setpointC: targetC, steering: { kind: 'automatic' }, isLowered: false }

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
