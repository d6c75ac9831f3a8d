import { isHeld, type Setpoint, setpointAt } from '@hypocaust/domain'
import { FROST } from '@hypocaust/domain/facts'
import { begunAnew } from '../estimate/broken.ts'
import { observe } from '../estimate/observe.ts'
import { recordSlot } from '../estimate/slot.ts'
import { airAbove, modelOf } from '../model/model.ts'
import { aimOf, aimsAhead, warmed } from '../plan/aim.ts'
import { coolAimAt, coolAimsAhead } from '../plan/cool-aim.ts'
import { limitFor } from '../plan/floor-limit.ts'
import { limitsAhead } from '../plan/grid-limit.ts'
import type { PlannedPath } from '../plan/planner.ts'
import { blockEndMs, evenShare, windowOf, windowShare } from '../plan/pulse.ts'
import { warmsFor } from '../plan/warms-for.ts'
import { coolWaterC, hourAt } from '../room/cooling.ts'
import { lostAfterS, usualSilenceS } from '../room/habit.ts'
import { holdsFloor } from '../room/held.ts'
import { UNKNOWN_WEATHER } from '../room/outside.ts'
import { sanitised, within } from '../room/sanitise.ts'
import { type Block, confidenceOf, freshState, isHeldByFeedback, type RoomControl } from '../room/state.ts'
import {
  type Aim,
  type Cap,
  type Decision,
  isWatched,
  type Notice,
  type RoomSettings,
  type Slot,
  type StepInput,
} from '../room/types.ts'
import { shortfallAfter } from '../watch/shortfall.ts'
import { followSource } from '../watch/source.ts'
import { shutNow } from './cool.ts'
import { type AimAt, decideBlock, estimateOf, followedC, type Mode, rungOf } from './decide.ts'
import { asPromised, expectedOf } from './expected.ts'
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

/** Of a room that is cooled the aims are those of cooling; `heatLowC` is always that of heating. */
type Aims = { now: Aim; ahead: AimAt; heatLowC: number }

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

/** A state of another floor or another shape is no state: the room begins anew rather than not at all. */
function usable(previous: RoomControl | null, input: StepInput): RoomControl {
  if (previous?.floorType !== input.floorType) return freshState(input)
  if (isOfToday(previous)) return previous
  const upgraded = withNewMembers(previous, freshState(input))
  return hasShape(upgraded) ? upgraded : freshState(input)
}

const PATTERN = freshState({
  ...{ floorType: 'screed', nowMs: 0, location: { lat: 0, lng: 0 } },
  settings: { targetC: 20, timeZone: 'UTC' },
})
const hasShape = checkOf(PATTERN)
const MEMBERS = Object.keys(PATTERN) as (keyof RoomControl)[]

const isOfToday = (state: RoomControl): boolean => Object.keys(state).length === MEMBERS.length && hasShape(state)

/** A state of an earlier version lacks members: those of a new room stand in. Members that are gone are dropped. */
function withNewMembers(previous: RoomControl, fresh: RoomControl): RoomControl {
  const members = MEMBERS.map((name) => [name, name in previous ? previous[name] : fresh[name]])
  const upgraded = Object.fromEntries(members) as RoomControl
  return { ...upgraded, learned: withNewParameters(upgraded.learned, fresh.learned) }
}

/** Parameters added since are as nothing learned of them. */
const withNewParameters = (learned: unknown, fresh: number[]): number[] =>
  Array.isArray(learned) ? fresh.map((none, i) => learned[i] ?? none) : fresh

type Check = (value: unknown) => boolean

/**
 * The same members of the same kinds, as deep as the pattern goes; what a new room does not have yet may be anything.
 * Made once: to go through the pattern at each step would take several times as long.
 */
function checkOf(pattern: unknown): Check {
  if (pattern === null) return () => true
  if (typeof pattern === 'number') return Number.isFinite
  if (typeof pattern !== 'object') return (value) => typeof value === typeof pattern
  if (Array.isArray(pattern)) {
    const isNumbers = typeof pattern[0] === 'number'
    return (value) =>
      Array.isArray(value) &&
      (pattern.length === 0 || value.length === pattern.length) &&
      (!isNumbers || value.every(Number.isFinite))
  }
  const checks = new Map(Object.entries(pattern).map(([name, part]) => [name, checkOf(part)]))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const members = value as Record<string, unknown>
    let found = 0
    // In the order of the value: V8 then knows where its members are, and need not look for their names.
    for (const name in members) {
      const check = checks.get(name)
      if (!check) continue
      if (members[name] === undefined || !check(members[name])) return false
      found++
    }
    return found === checks.size
  }
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

const frostAim = (bandK: number): Aim =>
  aimOf({ setpointC: FROST.overC, reason: 'frost', steering: { kind: 'off' }, isLowered: true }, bandK)

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

function powerNow(state: RoomControl, input: StepInput, mode: Mode): number {
  const { block } = state
  const unreached = unreachedNow(input, mode)
  if (unreached) return 'power' in unreached ? unreached.power : 0
  if (!block || mode === 'off' || isPaused(state, input, mode)) return 0
  const power = within(shareNow(state, block, mode, input), 0, 1, 0)
  return Math.min(power, mostThatMayFlow(state, input))
}

/** Too hot a floor or, while the building cools, too near the dew point: at once, also under manual power. */
function mostThatMayFlow(state: RoomControl, input: StepInput): number {
  if (input.cooling && !state.frost) return shutNow(state, input) === null ? 1 : 0
  if (!probedTooHot(input)) return 1
  return state.frost ? FROST.limitedShare : 0
}

/** A power set by hand is the holder's command and is shown as set, wherever it goes. */
const unreachedNow = ({ unreached }: StepInput, mode: Mode) =>
  mode === 'heat' || mode === 'cool' || mode === 'frost' ? (unreached ?? null) : null

/** Nobody heats the street: an open window pauses the room, except against frost and by hand. */
const isAired = (state: RoomControl, { window }: StepInput, mode: Mode) =>
  window === 'open' && (mode === 'heat' || mode === 'cool') && !state.frost

/** While the grid operator has switched the heat pump off, its water loops stay shut, except against frost and by hand. */
const isGridLocked = (state: RoomControl, { energy, floorType }: StepInput, mode: Mode) =>
  energy?.grid === 'locked' && (mode === 'heat' || mode === 'cool') && floorType !== 'electric' && !state.frost

const isPaused = (state: RoomControl, input: StepInput, mode: Mode) =>
  isAired(state, input, mode) || isGridLocked(state, input, mode)

/** A probe needs no estimate: at the limit the loop is shut at once. */
const probedTooHot = ({ floorProbeC, settings }: StepInput) =>
  floorProbeC !== null && floorProbeC >= limitFor(settings.maxFloorC, true)

/**
 * By hand, for base warmth and against frost the power is even, so that it reads as what was asked for; a plan opens once
 * a block.
 */
const shareNow = (state: RoomControl, block: Block, mode: Mode, { nowMs }: StepInput) =>
  mode !== 'heat' || state.frost || block.caps.includes('preset')
    ? evenShare(block)
    : windowShare(block, nowMs, windowOf(state))

function decisionOf(state: RoomControl, input: StepInput, mode: Mode, aims: Aims): Decision {
  const { air, nowMs, settings } = input
  const aim = mode === 'frost' ? frostAim(settings.bandK) : aims.now
  const without = state.block?.without ?? null
  return {
    atMs: nowMs,
    timeZone: settings.timeZone,
    mode,
    power: state.power,
    share:
      mode === 'heat' &&
      state.block &&
      !probedTooHot(input) &&
      !isPaused(state, input, mode) &&
      (isWatched(input) || !unreachedNow(input, mode))
        ? evenShare(state.block)
        : state.power,
    rung: rungOf(state, nowMs),
    notices: noticesOf(state, input),
    caps: capsNow(state, input, mode),
    air: air.kind === 'missing' ? null : { airC: air.airC, ageS: air.ageS },
    estimate: estimateOf(state, input),
    outdoorC: state.weather?.outdoorC ?? null,
    aim,
    without,
    warmsForMs: isWatched(input) ? null : warmsFor({ atMs: nowMs, mode, power: state.power, aim, without }, aims.ahead),
    ...reasonsNow(state, input, mode),
    ...(holdsFloor(settings) && { targetOf: 'floor' }),
    ...(state.idle && { idle: state.idle }),
    ...shortNow(state.shortfall),
    ...coolingNow(state, input, aims),
    maxFloorC: settings.maxFloorC,
    confidence: confidenceOf(state),
  }
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

const shortNow = ({ sinceMs, belowK }: RoomControl['shortfall']): Pick<Decision, 'short'> =>
  sinceMs === null ? {} : { short: { sinceMs, belowK } }

function coolingNow(state: RoomControl, input: StepInput, { heatLowC }: Aims): Pick<Decision, 'cooling'> {
  const { cooling, nowMs } = input
  return cooling && !state.frost
    ? { cooling: { dewC: hourAt(cooling.dewC, nowMs), waterC: coolWaterC(input, nowMs), heatLowC } }
    : {}
}

/** Only where the plan is what moves the valve. */
function reasonsNow(state: RoomControl, input: StepInput, mode: Mode): Pick<Decision, 'price' | 'floor'> {
  const { price, floor, openS = 0 } = state.block ?? {}
  const isFollowed = mode === 'heat' && !unreachedNow(input, mode) && !isPaused(state, input, mode)
  return isFollowed ? { ...(price && { price }), ...(floor && openS > 0 && { floor }) } : {}
}

function capsNow(state: RoomControl, input: StepInput, mode: Mode): Cap[] {
  const caps = state.block?.caps ?? []
  const unreached = unreachedNow(input, mode)
  if (unreached) return [unreached.kind]
  const isCooled = input.cooling && !state.frost
  const isHot = !isCooled && probedTooHot(input) && !caps.includes('floor-limit')
  const shut = isCooled && (mode === 'cool' || mode === 'manual') ? shutNow(state, input) : null
  return [
    ...caps.filter((cap) => cap !== shut),
    ...(shut ? [shut] : []),
    ...(isHot ? (['floor-limit'] as const) : []),
    ...(isAired(state, input, mode) ? (['open-window'] as const) : []),
    ...(isGridLocked(state, input, mode) ? (['grid-lock'] as const) : []),
  ]
}

function noticesOf(state: RoomControl, { nowMs, window }: StepInput): Notice[] {
  const notices: Notice[] = []
  if (state.airing.openSinceMs !== null && !window) notices.push('window-open')
  if (state.source.kind !== 'fine') notices.push('boiler-off')
  if (state.brokenMs !== null) notices.push('model-broken')
  if (state.weather === null) notices.push('no-weather')
  if (state.lastReadingMs === null || nowMs - state.lastReadingMs > 1000 * lostAfterS(state.habit))
    notices.push('sensor-lost')
  return notices
}

/** FNV-1a over the JSON: cheap, and a changed wish changes it. */
function keyOf(value: unknown): number {
  const text = JSON.stringify(value)
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
