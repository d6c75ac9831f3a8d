import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'

interface WatchdogOptions {
  /** After standing still for this long the process ends; 0 never. */
  stalledAfterMs: number
  /** How often the thread looks. */
  lookEveryMs?: number
}

const LOOK_EVERY_MS = 1000

/**
 * Ends the process when its event loop stands still: a hung process would keep its share of the gateways' messages and
 * its locks. A thread of its own watches a counter of the main thread. Not under a debugger, which stops the loop.
 */
export function watchEventLoop({ stalledAfterMs, lookEveryMs = LOOK_EVERY_MS }: WatchdogOptions): void {
  if (stalledAfterMs === 0 || inspector.url() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(beats, 0, 1), lookEveryMs / 2).unref()
  const worker = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: { beats, lookEveryMs, stalledAfterMs },
  })
  // Not waited for: the thread comes up by itself, also when the main thread stands still from here on.
  worker.unref()
}
