import type { HeatRequest } from '@hypocaust/domain'
import { alignedOpenings, type SourceLimits, type SourceState } from '../laws/align.ts'
import { moveLoop, startExercise, wantsExercise } from '../laws/windows.ts'
import type { Channel } from './channel.ts'

/** What the heat source asks of the loops. */
interface Demands {
  isLocked: boolean
  limits: SourceLimits | null
  source: SourceState
  /** Open loops of other gateways that share it. */
  others: HeatRequest
  headroomK(channel: Channel): number | null
  /** Whether its pipes may freeze. */
  isCold(channel: Channel): boolean
}

/** Opens and closes each loop as it wants, or water loops together where the source asks for it. Says if one moved. */
export function moveLoops(channels: readonly Channel[], demands: Demands, nowMs: number): boolean {
  const { isLocked, limits, source, others } = demands
  // A floor that is too hot, or too near the dew point, closes its loop at once.
  const wants = channels.map((channel) => !channel.isForbidden && channel.wants(nowMs))
  const water = channels.flatMap((channel, i) => (channel.isWater && !channel.loop.exercise ? [i] : []))
  if (isLocked) for (const i of water) wants[i] = false
  else if (limits) {
    const candidates = water.map((i) => {
      const channel = channels[i] as Channel
      const isForbidden = channel.isOutOfReach
      const isCold = demands.isCold(channel)
      return channel.candidate(wants[i] === true, { isForbidden, isCold, headroomK: demands.headroomK(channel) }, nowMs)
    })
    const opens = alignedOpenings(candidates, source, limits, others, nowMs)
    for (const [n, i] of water.entries()) wants[i] = opens[n] === true
  }
  const hasMoved = channels.some(({ loop }, i) => loop.open !== wants[i])
  for (const [i, channel] of channels.entries()) channel.loop = moveLoop(channel.loop, wants[i] === true, nowMs)
  return hasMoved
}

/** One at a time: an exercise is no reason for a surge. */
export function exerciseOne(channels: readonly Channel[], nowMs: number): void {
  if (channels.some(({ loop }) => loop.exercise)) return
  const due = channels.find(({ loop, limits, isCooled, held }) => wantsExercise(loop, limits) && !(isCooled && held))
  if (due) due.loop = startExercise(due.loop, nowMs)
}
