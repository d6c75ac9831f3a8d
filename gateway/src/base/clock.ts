import { readFileSync } from 'node:fs'

/** Wall time stamps readings; monotonic time runs the valves, so that a jump of the clock moves none of them. */
export interface Clock {
  nowMs(): number
  /** Runs on across restarts of the agent, as long as the machine runs. */
  monotonicMs(): number
  /** Which start of the machine the monotonic time counts from. */
  bootId(): string
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  bootId: bootIdOfLinux,
}

/** Empty where the system does not tell: then only the wall clock counts across restarts. */
function bootIdOfLinux(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** A moment that can be found again after a restart. */
export interface Moment {
  bootId: string
  monotonicMs: number
  wallMs: number
}

export const momentAt = (clock: Clock, monotonicMs: number): Moment => ({
  bootId: clock.bootId(),
  monotonicMs,
  wallMs: clock.nowMs() - (clock.monotonicMs() - monotonicMs),
})

export const momentNow = (clock: Clock): Moment => momentAt(clock, clock.monotonicMs())

/** How long ago a moment was; null when nobody can tell: the machine has started since, and its clock is not believed. */
export function ageMs(moment: Moment, clock: Clock, isClockOk: boolean): number | null {
  const sameBoot = isSameBoot(moment, clock)
  const age = sameBoot ? clock.monotonicMs() - moment.monotonicMs : clock.nowMs() - moment.wallMs
  return age >= 0 && (sameBoot || isClockOk) ? age : null
}

const isSameBoot = (moment: Moment, clock: Clock): boolean => moment.bootId !== '' && moment.bootId === clock.bootId()
