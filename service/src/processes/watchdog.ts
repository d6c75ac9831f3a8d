import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'
import type { Beats } from '../base/beats.ts'

interface WatchdogOptions {
  /** After standing still for this long the process ends; 0 never. */
  stalledAfterMs: number
  /** How often the thread looks. */
  lookEveryMs?: number
  /** Has it watched by a thread that is there already; each further one takes 8 MB. */
  watch?: ((beats: Beats) => void) | undefined
}

const LOOK_EVERY_MS = 1000

/**
 * Ends the process when its event loop stands still: a hung process would keep its share of the gateways' messages and
 * its locks. Another thread watches a counter of the main thread. Not under a debugger, which stops the loop.
 */
export function watchEventLoop({
  stalledAfterMs,
  lookEveryMs = LOOK_EVERY_MS,
  watch = watchInThreadOfItsOwn,
}: WatchdogOptions): void {
  if (stalledAfterMs === 0 || inspector.url() !== undefined) return
  const count = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(count, 0, 1), lookEveryMs / 2).unref()
  watch({ count, lookEveryMs, stalledAfterMs })
}

function watchInThreadOfItsOwn(beats: Beats): void {
  const worker = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: beats })
  // Not waited for: the thread comes up by itself, also when the main thread stands still from here on.
  worker.unref()
}
