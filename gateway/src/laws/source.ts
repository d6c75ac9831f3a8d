import type { HeatRequest } from '@hypocaust/domain'
import type { SourceLimits, SourceState } from './align.ts'

/** What the loops tell pump and boiler. */
export interface Water {
  /** Loops whose relay reports open and whose water flows, and their floor. */
  loops: number
  areaM2: number
  /** A valve is not closed yet. */
  flows: boolean
  /** For how long a relay has been open, as far as it reports. */
  openForMs: number | null
  /** How long ago the last relay closed. */
  closedForMs: number
}

/** With the open loops of gateways that share the source. */
export function withOthers(water: Water, { loops, area_m2 }: HeatRequest): Water {
  if (loops === 0) return water
  return {
    ...water,
    loops: water.loops + loops,
    areaM2: water.areaM2 + area_m2,
    flows: true,
    closedForMs: 0,
  }
}

export interface PumpTimes {
  /** Starts so long after the first loop opens, at the latest when water can flow. */
  leadMs: number
  /** Runs on for so long after the last loop closes, at least until its valve has closed. */
  lagMs: number
}

/** The shortest run and the shortest pause: loops that open one after the other may leave a gap of any length. */
const PUMP_MIN_MS = 60_000

/** On while water flows. */
export function stepPump(state: SourceState, water: Water, { leadMs, lagMs }: PumpTimes, nowMs: number): SourceState {
  if (nowMs - state.sinceMs < PUMP_MIN_MS) return state
  const leads = water.openForMs !== null && water.openForMs >= leadMs
  const lags = state.on && water.closedForMs < lagMs
  return turned(state, water.flows || leads || lags, nowMs)
}

/** On while enough loops are open, never for less than its minimum unless the last loop closes, never after too short a pause. */
export function stepBoiler(state: SourceState, water: Water, limits: SourceLimits, nowMs: number): SourceState {
  const forMs = nowMs - state.sinceMs
  if (!state.on) return turned(state, hasEnough(water, limits) && forMs >= limits.minOffMs, nowMs)
  const mayStop = forMs >= limits.minRunMs
  return turned(state, water.loops > 0 && (hasEnough(water, limits) || !mayStop), nowMs)
}

/** One relay for both: it starts as the boiler does, and runs as long as the pump. */
export function stepBoth(
  state: SourceState,
  water: Water,
  { limits, times }: { limits: SourceLimits; times: PumpTimes },
  nowMs: number,
): SourceState {
  if (!state.on) return stepBoiler(state, water, limits, nowMs)
  return stepPump(state, water, times, nowMs)
}

const hasEnough = ({ loops, areaM2 }: Water, { minLoops, minAreaM2 }: SourceLimits): boolean =>
  loops >= Math.max(1, minLoops) && areaM2 >= minAreaM2

const turned = (state: SourceState, on: boolean, nowMs: number): SourceState =>
  on === state.on ? state : { on, sinceMs: nowMs }
