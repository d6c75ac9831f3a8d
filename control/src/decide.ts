import { fallbackPower } from './fallback.ts'
import { cappedShare, limitFor } from './floor-limit.ts'
import { holdingPower, type Model, modelOf, nothingLearned } from './model.ts'
import { locationOf, outsideOf, UNKNOWN_WEATHER, weatherAhead } from './outside.ts'
import { makePlan } from './planner.ts'
import { blockEndMs, blockS, minPulseS, pulse } from './pulse.ts'
import type { Block, RoomControl } from './state.ts'
import { airC, type Conditions } from './thermal.ts'
import type { Aim, Cap, Decision, StepInput } from './types.ts'

export type AimAt = (atMs: number) => Aim

const PRESET_SHARE = { none: 0, low: 0.05, medium: 0.1, high: 0.15 }
const DOUBT_K = 0.12
const PREDICT_S = 1800
const MODEL_ONLY_S = 12 * 3600
const PI_GAIN_PER_K = 0.2

export type Mode = Decision['mode']

/** What the open time of the coming block is, and why. Only called when a block begins or the wish has changed. */
export function decideBlock(
  state: RoomControl,
  input: StepInput,
  aimAt: AimAt,
  mode: Mode,
  key: number,
): { block: Block; owedS: number } {
  const { nowMs, windowS } = input
  const endMs = blockEndMs(nowMs, windowS)
  const lengthS = (endMs - nowMs) / 1000
  const rung = rungOf(state, nowMs)
  const caps: Cap[] = []
  const wanted =
    mode === 'heat'
      ? automatic(state, input, aimAt, rung, caps)
      : { share: mode === 'frost' ? 1 : mode === 'manual' ? input.settings.manualPower.power : 0, without: null }
  const share = mode === 'off' ? 0 : capped(state, input, wanted.share, lengthS, caps)
  const owedBefore = mode === 'heat' ? state.owedS : 0
  const { openS, owedS } =
    mode === 'heat'
      ? pulse(share * lengthS + owedBefore, lengthS, minPulseS(state.floorType))
      : { openS: share * lengthS, owedS: 0 }
  if (owedS > 0) caps.push('minimum-pulse')
  return { block: { startMs: nowMs, endMs, openS, key, rung, without: wanted.without, caps }, owedS }
}

export function rungOf(state: RoomControl, nowMs: number): Decision['rung'] {
  if (!state.belief || state.lastReadingMs === null) return 'learned-power'
  const ageS = (nowMs - state.lastReadingMs) / 1000
  if (ageS > MODEL_ONLY_S) return 'learned-power'
  if (ageS > PREDICT_S) return 'model-only'
  if (state.fit.rejected) return 'pi'
  return ageS > 600 ? 'predicted' : 'measured'
}

type Wanted = { share: number; without: Decision['without'] }

function automatic(state: RoomControl, input: StepInput, aimAt: AimAt, rung: Decision['rung'], caps: Cap[]): Wanted {
  const wanted = byRung(state, input, aimAt, rung)
  const base = PRESET_SHARE[input.settings.presetMode] ?? 0
  if (base <= wanted.share) return wanted
  const estimate = estimateOf(state, input)
  if (estimate && estimate.airC > aimAt(input.nowMs).highC) {
    caps.push('above-band')
    return wanted
  }
  caps.push('preset')
  return { ...wanted, share: base }
}

function byRung(state: RoomControl, input: StepInput, aimAt: AimAt, rung: Decision['rung']): Wanted {
  switch (rung) {
    case 'measured':
    case 'predicted':
    case 'model-only':
      return planned(state, input, aimAt, rung)
    case 'pi':
      return { share: feedback(state, input, aimAt(input.nowMs)), without: null }
    case 'learned-power':
      return { share: fallbackPower(state, state.floorType, state.weather?.outdoorC ?? null), without: null }
  }
}

function planned(state: RoomControl, input: StepInput, aimAt: AimAt, rung: Decision['rung']): Wanted {
  const { belief } = state
  if (!belief) return { share: 0, without: null }
  const { nowMs, settings, floorProbeC } = input
  const model = modelOf(state.floorType, state.learned)
  const location = locationOf(input)
  const weather = state.weather ?? UNKNOWN_WEATHER
  const silentH = rung === 'model-only' ? (nowMs - (state.lastReadingMs ?? nowMs)) / 3_600_000 : 0
  const plan = makePlan({
    floorType: state.floorType,
    model,
    belief,
    nowMs,
    blockS: blockS(input.windowS),
    outsideAt: (atMs) => outsideOf(model, weatherAhead(input, weather, atMs), atMs, location),
    aimAt,
    maxFloorC: limitFor(settings.maxFloorC, floorProbeC !== null),
    doubtK: DOUBT_K + Math.min(0.2, 0.03 * silentH),
  })
  return { share: plan.power, without: plan.without }
}

/** Feed-forward from the book's floor, and plain proportional-integral feedback. */
function feedback(state: RoomControl, input: StepInput, aim: Aim): number {
  const outdoorC = state.weather?.outdoorC ?? UNKNOWN_WEATHER.outdoorC
  const errorK = aim.targetC - (state.airing.quickC ?? aim.targetC)
  const hold = holdingPower(modelOf(input.floorType, nothingLearned()), aim.targetC, outdoorC)
  return Math.min(1, Math.max(0, hold + PI_GAIN_PER_K * errorK + state.integral))
}

function capped(state: RoomControl, input: StepInput, share: number, lengthS: number, caps: Cap[]): number {
  if (!state.belief || share === 0) return share
  const model = modelOf(state.floorType, state.learned)
  const outside = outsideOf(model, state.weather ?? UNKNOWN_WEATHER, input.nowMs, locationOf(input))
  const limitC = limitFor(input.settings.maxFloorC, input.floorProbeC !== null)
  const result = cappedShare(model, state.belief, outside, share, lengthS, limitC)
  if (result < share) caps.push('floor-limit')
  return result
}

/** What the room is held to be like now. */
export function estimateOf(state: RoomControl, input: StepInput): Decision['estimate'] {
  const { belief } = state
  if (!belief) return null
  const model: Model = modelOf(state.floorType, state.learned)
  const outside = outsideOf(model, state.weather ?? UNKNOWN_WEATHER, input.nowMs, locationOf(input))
  const [, surfaceC = 20, wallC = 20, , hours = 0, days = 0] = belief.mean
  const conditions: Conditions = { ...outside, disturbanceWm2: hours + days }
  return { airC: airC(model, conditions, surfaceC, wallC), floorC: surfaceC, floorProbed: input.floorProbeC !== null }
}
