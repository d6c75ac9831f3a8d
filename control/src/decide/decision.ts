import { FROST } from '@hypocaust/domain/facts'
import { aimOf } from '../plan/aim.ts'
import { evenShare } from '../plan/pulse.ts'
import { warmsFor } from '../plan/warms-for.ts'
import { coolWaterC, hourAt } from '../room/cooling.ts'
import { lostAfterS } from '../room/habit.ts'
import { holdsFloor } from '../room/held.ts'
import { confidenceOf, type RoomControl } from '../room/state.ts'
import { type Aim, type Cap, type Decision, isWatched, type Notice, type StepInput } from '../room/types.ts'
import { shutNow } from './cool.ts'
import { type AimAt, estimateOf, type Mode, rungOf } from './decide.ts'
import { isAired, isGridLocked, isPaused, probedTooHot, unreachedNow } from './power.ts'

/** Of a room that is cooled the aims are those of cooling; `heatLowC` is always that of heating. */
export type Aims = { now: Aim; ahead: AimAt; heatLowC: number }

/** What was decided and why, as it is stored and explained. */
export function decisionOf(state: RoomControl, input: StepInput, mode: Mode, aims: Aims): Decision {
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

const frostAim = (bandK: number): Aim =>
  aimOf({ setpointC: FROST.overC, reason: 'frost', steering: { kind: 'off' }, isLowered: true }, bandK)

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
