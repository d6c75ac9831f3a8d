import { writeSync } from 'node:fs'
import { Stall } from './stall.ts'

/** A counter that an event loop raises while it turns, and how long it may stand still. */
export interface Beats {
  count: Int32Array
  lookEveryMs: number
  stalledAfterMs: number
}

/** From another thread than the one that is watched: ends the process when its counter stands still. */
export function watchBeats({ count, lookEveryMs, stalledAfterMs }: Beats): NodeJS.Timeout {
  const stall = new Stall(Math.ceil(stalledAfterMs / lookEveryMs))
  return setInterval(() => {
    if (!stall.isStalled(Atomics.load(count, 0))) return
    const msg = `the event loop has stood still for ${stalledAfterMs / 1000} s, or nearly; the process ends itself`
    writeSync(2, `${JSON.stringify({ level: 60, time: new Date().toISOString(), msg })}\n`)
    process.kill(process.pid, 'SIGKILL')
  }, lookEveryMs)
}
