import { isHeld, type Setpoint, setpointAt } from '@hypocaust/domain'
import { FROST } from '@hypocaust/domain/facts'
import { begunAnew } from '../estimate/broken.ts'
import { observe } from '../estimate/observe.ts'
import { recordSlot } from '../estimate/slot.ts'
import { airAbove, modelOf } from '../model/model.ts'
import { aimOf, aimsAhead, warmed } from '../plan/aim.ts'
import { coolAimAt, coolAimsAhead } from '../plan/cool-aim.ts'
import { limitsAhead } from '../plan/grid-limit.ts'
import type { PlannedPath } from '../plan/planner.ts'
import { blockEndMs, windowOf } from '../plan/pulse.ts'
import { usualSilenceS } from '../room/habit.ts'
import { holdsFloor } from '../room/held.ts'
import { UNKNOWN_WEATHER } from '../room/outside.ts'
import { sanitised, within } from '../room/sanitise.ts'
import { isHeldByFeedback, type RoomControl } from '../room/state.ts'
import type { Aim, Decision, RoomSettings, Slot, StepInput } from '../room/types.ts'
import { usable } from '../room/usable.ts'
import { shortfallAfter } from '../watch/shortfall.ts'
import { followSource } from '../watch/source.ts'
import { type AimAt, decideBlock, followedC, type Mode, rungOf } from './decide.ts'
import { type Aims, decisionOf } from './decision.ts'
import { asPromised, expectedOf } from './expected.ts'
import { powerNow } from './power.ts'
import { checkRise, noteRise } from './rises.ts'
import { shadingOf } from './shading.ts'

/** `slot` is there when half an hour is complete: keep a week of them for the nightly fit. */
export type StepResult = { power: number; state: RoomControl; decision: Decision; slot: Slot | null }

const PI_INTEGRAL_PER_KH = 0.05

/** One tick of one room: state in, power and state out. */
export function stepRoom(previous: RoomControl | null, raw: StepInput): StepResult {
  const input = sanitised(raw)
  const { settings, nowMs, floorType } = input
  const setpoint = setpointAt(settings, nowMs)
  const coolC = input.cooling?.targetC ?? null
  const warm = { now: aimOf(warmed(setpoint, settings), settings.bandK), ahead: aimsAhead(settings, floorType, nowMs) }
  const aims =
    coolC === null ? warm : { now: coolAimAt(settings, coolC, nowMs), ahead: coolAimsAhead(settings, coolC, nowMs) }
  const heatLowC = warm.now.lowC
  // An override may steer otherwise than the room's own setting, and its end is a change of the wish: the plan counts it
  // for longer. So is the end of a hold.
  const override = settings.override && settings.override.untilMs > nowMs ? settings.override : null
  const hold = isHeld(settings, nowMs) ? (settings.hold ?? null) : null
  const { path, ...result } = step(
    previous,
    { ...input, settings: { ...lastingSettings(settings, setpoint), override, hold, steering: setpoint.steering } },
    { ...aims, heatLowC },
  )
  const { state } = result
  state.rise = checkRise(state.rise, input)
  if (path && state.block) {
    const expected = expectedOf(state, input, asPromised(state, input, path))
    state.block.expected = expected
    state.rise = noteRise(state.rise, expected.warmUp, nowMs)
  }
  return withShading(result, previous, input, aims.ahead, path)
}

/** Looked at once for each block, in every mode: a room that is off needs its blinds most. */
function withShading(
  result: StepResult,
  previous: RoomControl | null,
  input: StepInput,
  aimAt: AimAt,
  path: PlannedPath | null,
): StepResult {
  const { state, decision } = result
  if (!input.settings.blinds || !state.block) return result
  if (state.block.shading === undefined)
    state.block.shading = shadingOf(state, input, aimAt, path, previous?.block?.shading ?? null)
  const { shading } = state.block
  return shading ? { ...result, decision: { ...decision, shading } } : result
}

/** Of who is home only what follows now, for the air or the floor, is a setting: each report moves the end on. */
function lastingSettings({ vacancy, ...settings }: RoomSettings, { reason }: Setpoint): RoomSettings {
  return vacancy && (reason === 'presence' || settings.floorTimes)
    ? { ...settings, vacancy: { ...vacancy, untilMs: Number.POSITIVE_INFINITY } }
    : settings
}

/** As `stepRoom`, with a timetable of the caller's instead of programme and absence. */
export function stepTowards(previous: RoomControl | null, raw: StepInput, aimAt: AimAt): StepResult {
  const input = sanitised(raw)
  const now = aimAt(input.nowMs)
  const { path: _, ...result } = step(previous, input, { now, ahead: aimAt, heatLowC: now.lowC })
  return result
}

/** With the plan, where one was made. */
type Stepped = StepResult & { path: PlannedPath | null }

function step(previous: RoomControl | null, input: StepInput, aims: Aims): Stepped {
  const before = usable(previous, input)
  const power = input.appliedPower ?? before.power
  const state = observe(before, input, power)
  const { sums, slot: recorded } = recordSlot(state, before, input, power)
  // What a room does while it is cooled says nothing of how it is heated.
  const slot = input.cooling ? null : recorded
  state.slot = input.cooling ? { ...sums, spoiled: true } : sums
  if (slot) followSource(state, slot, input.otherRooms ?? [])
  if (slot) state.shortfall = shortfallAfter(state.shortfall, slot, aims.now, isHeatedInFull(state, input))
  state.lastAimC = airAimC(state, input, aims.now)
  state.frost = frostNow(before, state, input)
  state.integral = integralNow(before, state, input, aims.now.targetC)
  const mode = modeNow(input, state.frost)
  const path = decide(state, input, aims.ahead, mode)
  const decision = decisionOf(state, input, mode, aims)
  return { power: state.power, state, decision, slot, path }
}

/** The temperature of the air that is aimed at; of a floor that is held, what the air comes to above it. */
function airAimC({ floorType, learned, weather }: RoomControl, input: StepInput, { targetC }: Aim): number {
  if (!holdsFloor(input.settings) || input.cooling) return targetC
  return airAbove(modelOf(floorType, learned), targetC, (weather ?? UNKNOWN_WEATHER).outdoorC)
}

function modeNow({ settings, cooling }: StepInput, frost: boolean): Mode {
  switch (settings.steering.kind) {
    case 'automatic':
      return cooling && !frost ? 'cool' : 'heat'
    case 'manual':
      return frost ? 'frost' : 'manual'
    case 'off':
      return frost ? 'frost' : 'off'
  }
}

/** A sensor that reports only changes is heard until its habit is over: a room at 4° stays at 4°. */
function frostNow(before: RoomControl, state: RoomControl, input: StepInput): boolean {
  const { settings, air, coldestC, floorProbeC } = input
  if (!settings.frostProtection) return false
  const isBelow = (c: number) => c < (before.frost ? FROST.overC : FROST.belowC)
  const isFresh = air.kind === 'fresh'
  if (isFresh || (air.kind === 'stale' && before.frost && air.ageS <= 2 * usualSilenceS(state.habit)))
    return isBelow(Math.min(air.airC, coldestC ?? air.airC))
  return holdsFloor(settings) && floorProbeC !== null && isBelow(floorProbeC)
}

function integralNow(before: RoomControl, state: RoomControl, input: StepInput, targetC: number): number {
  const { nowMs } = input
  const measuredC = followedC(state, input)
  if (!isHeldByFeedback(state) || measuredC === null) return 0
  const hours = Math.min(1, Math.max(0, nowMs - before.updatedMs) / 3_600_000)
  return within(before.integral + PI_INTEGRAL_PER_KH * hours * (targetC - measuredC), -0.4, 0.4, 0)
}

/** A new block when the old one is over or the wish has changed; in between the block's power simply holds. */
function decide(state: RoomControl, input: StepInput, aimAt: AimAt, mode: Mode): PlannedPath | null {
  const { nowMs, settings } = input
  const grid = input.energy?.grid
  const limits = limitsAhead(input.limits, nowMs)
  const cools = mode === 'cool' ? [input.cooling?.targetC] : []
  const key = keyOf([
    ...[mode, settings, windowOf(state), ...(grid ? [grid] : []), ...(limits.length > 0 ? [limits] : [])],
    ...(state.frost ? ['frost'] : []),
    ...cools,
  ])
  const { block } = state
  const holds = block && block.key === key && nowMs >= block.startMs && nowMs < block.endMs
  let path: PlannedPath | null = null
  const better = block?.rung === 'learned-power' && rungOf(state, nowMs) !== 'learned-power'
  if (!holds || better || block.endMs > blockEndMs(nowMs, state)) {
    let decided = decideBlock(state, input, aimAt, mode, key)
    if (decided.isBroken) {
      Object.assign(state, begunAnew(state, input))
      decided = decideBlock(state, input, aimAt, mode, key)
    }
    state.block = decided.block
    state.owedS = decided.owedS
    state.outlook = decided.outlook
    state.heldBackMs = decided.heldBackMs
    path = decided.path
  }
  state.power = powerNow(state, input, mode)
  return path
}

/** Whether what the room is given is all its loop gives: not with a boiler that is off, nor through an open window. */
const isHeatedInFull = ({ source, idle, airing }: RoomControl, { settings, window, unreached }: StepInput): boolean =>
  settings.steering.kind === 'automatic' &&
  !holdsFloor(settings) &&
  source.kind === 'fine' &&
  idle === null &&
  airing.openSinceMs === null &&
  window !== 'open' &&
  !unreached

/** FNV-1a over the JSON: cheap, and a changed wish changes it. */
function keyOf(value: unknown): number {
  const text = JSON.stringify(value)
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
