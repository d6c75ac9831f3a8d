import { FROST } from '@hypocaust/domain/facts'
import { limitFor } from '../plan/floor-limit.ts'
import { evenShare, windowOf, windowShare } from '../plan/pulse.ts'
import { within } from '../room/sanitise.ts'
import type { Block, RoomControl } from '../room/state.ts'
import type { StepInput } from '../room/types.ts'
import { shutNow } from './cool.ts'
import type { Mode } from './decide.ts'

/** What moves the valve in this step: the block's share, unless something stands against it. */
export function powerNow(state: RoomControl, input: StepInput, mode: Mode): number {
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
export const unreachedNow = ({ unreached }: StepInput, mode: Mode) =>
  mode === 'heat' || mode === 'cool' || mode === 'frost' ? (unreached ?? null) : null

/** Nobody heats the street: an open window pauses the room, except against frost and by hand. */
export const isAired = (state: RoomControl, { window }: StepInput, mode: Mode) =>
  window === 'open' && (mode === 'heat' || mode === 'cool') && !state.frost

/** While the grid operator has switched the heat pump off, its water loops stay shut, except against frost and by hand. */
export const isGridLocked = (state: RoomControl, { energy, floorType }: StepInput, mode: Mode) =>
  energy?.grid === 'locked' && (mode === 'heat' || mode === 'cool') && floorType !== 'electric' && !state.frost

export const isPaused = (state: RoomControl, input: StepInput, mode: Mode) =>
  isAired(state, input, mode) || isGridLocked(state, input, mode)

/** A probe needs no estimate: at the limit the loop is shut at once. */
export const probedTooHot = ({ floorProbeC, settings }: StepInput) =>
  floorProbeC !== null && floorProbeC >= limitFor(settings.maxFloorC, true)

/**
 * By hand, for base warmth and against frost the power is even, so that it reads as what was asked for; a plan opens once
 * a block.
 */
const shareNow = (state: RoomControl, block: Block, mode: Mode, { nowMs }: StepInput) =>
  mode !== 'heat' || state.frost || block.caps.includes('preset')
    ? evenShare(block)
    : windowShare(block, nowMs, windowOf(state))
