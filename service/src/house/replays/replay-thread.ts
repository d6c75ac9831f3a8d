import { parentPort } from 'node:worker_threads'
import { compareSettings, shadowOf } from '@hypocaust/control'
import { HOUR_MS } from '@hypocaust/domain'
import type { ReplayTask } from './replays.ts'

parentPort?.on('message', (task: ReplayTask) => {
  parentPort?.postMessage(task.kind === 'shadow' ? shadowOf(task.room, task.history, task.settings) : compare(task))
})

/** A function cannot be sent to a thread: prices come as a table by the hour. */
function compare({ prices, ...task }: Extract<ReplayTask, { kind: 'what-if' }>) {
  return compareSettings(task, prices && ((atMs) => prices.get(Math.floor(atMs / HOUR_MS) * HOUR_MS) ?? null))
}
