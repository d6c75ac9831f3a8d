import { type Duty, type Loop, newLoop, type Report, stepLoop } from '../laws/windows.ts'
import type { Channel } from './channel.ts'

const dutyOf = ({ windowMs }: Channel): Duty => ({ power: 0, windowMs, source: 'watched', seq: null })

export const watchedLoop = (channel: Channel, nowMs: number): Loop => newLoop(dutyOf(channel), nowMs, { idleMs: 0 })

/**
 * A channel whose valve another thermostat works: it is never commanded, and its windows report what its relay reports.
 * Time in which nothing is known of the relay is in no window.
 */
export function watchChannel(channel: Channel, nowMs: number): Report[] {
  channel.relay.watch(nowMs)
  const happened = channel.happened(true, nowMs)
  if (!channel.relay.isKnown(nowMs)) {
    channel.loop = watchedLoop(channel, nowMs)
    return []
  }
  const { loop, reports } = stepLoop(channel.loop, dutyOf(channel), channel.limits, nowMs, happened)
  channel.loop = loop
  return reports
}
