import { ageMs, type Clock, type Moment, momentNow } from '../base/clock.ts'
import type { Store } from '../base/store.ts'
import type { Actuator } from '../laws/actuator.ts'
import type { Channel } from './channel.ts'

/** After a longer absence a valve is no longer where it was. */
const RESUMED_WITHIN_MS = 900_000

/** What is kept of a loop over a restart. */
type KeptChannel = { windowMs: number; idleMs: number; owedMs: number; open: boolean; actuator: KeptActuator }
/** JSON has no infinity. */
type KeptActuator = Omit<Actuator, 'turnedMs'> & { turnedMs: number | null }
type Kept = { channels: Record<string, KeptChannel>; saved: Moment }

export interface ResumedChannel {
  windowMs: number
  idleMs: number
  /** Where the loop was, unless that was too long ago. */
  recent: { owedMs: number; open: boolean; actuator: Actuator } | null
}

interface KeptParts {
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
}

export function keepChannels({ clock, store }: KeptParts, channels: readonly Channel[]): void {
  const entries = channels.map(({ settings, windowMs, actuator, loop: { idleMs, owedMs, open } }) => [
    settings.channel,
    { windowMs, idleMs, owedMs, open, actuator },
  ])
  store.put('channels', { channels: Object.fromEntries(entries), saved: momentNow(clock) } satisfies Kept)
}

/** What is known of each channel from before the start. */
export function resumedChannels({ clock, store, isClockOk }: KeptParts): (channel: number) => ResumedChannel | null {
  const kept = store.get<Kept | null>('channels')
  const keptAgeMs = kept ? ageMs(kept.saved, clock, isClockOk()) : null
  const nowMs = clock.monotonicMs()
  return (channel) => {
    const known = kept?.channels[channel]
    if (!kept || !known) return null
    const { windowMs, idleMs, owedMs, open, actuator } = known
    if (keptAgeMs === null || keptAgeMs > RESUMED_WITHIN_MS) return { windowMs, idleMs, recent: null }
    const shiftMs = nowMs - keptAgeMs - kept.saved.monotonicMs
    return { windowMs, idleMs, recent: { owedMs, open, actuator: shifted(actuator, shiftMs) } }
  }
}

/** An actuator of before a restart of the machine, whose clock began anew. */
const shifted = (actuator: KeptActuator, byMs: number): Actuator => ({
  ...actuator,
  turnedMs: actuator.turnedMs === null ? Number.NEGATIVE_INFINITY : actuator.turnedMs + byMs,
  atMs: actuator.atMs + byMs,
})
