import { parentPort } from 'node:worker_threads'
import {
  compareSettings,
  designHouse,
  examine,
  flexibilityOf,
  limitPromise,
  savingsOf,
  shadowOf,
} from '@hypocaust/control'
import { HOUR_MS } from '@hypocaust/domain'
import type { ReplayTask } from './replays.ts'

parentPort?.on('message', (task: ReplayTask) => {
  parentPort?.postMessage(answerTo(task))
})

function answerTo(task: ReplayTask) {
  switch (task.kind) {
    case 'shadow':
      return shadowOf(task.room, task.history, task.settings)
    case 'savings':
      return savingsOf(task.room, task.history, task.settings)
    case 'design':
      return designHouse(task.task)
    case 'flexibility':
      return flexibilityOf(task.rooms, task.source, task.nowMs)
    case 'limit':
      return limitPromise(task.rooms, task.limit, task.source, task.nowMs)
    case 'examination':
      return examine(task, task.roomId, task.nowMs)
    case 'what-if':
      return compare(task)
  }
}

/** A function cannot be sent to a thread: prices come as a table by the hour. */
function compare({ prices, ...task }: Extract<ReplayTask, { kind: 'what-if' }>) {
  return compareSettings(task, prices && ((atMs) => prices.get(Math.floor(atMs / HOUR_MS) * HOUR_MS) ?? null))
}
