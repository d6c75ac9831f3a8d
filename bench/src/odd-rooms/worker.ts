import { parentPort } from 'node:worker_threads'
import { oddRoom } from './room.ts'
import { runOdd } from './run.ts'

parentPort?.on('message', ({ number, days }: { number: number; days: number }) => {
  parentPort?.postMessage(runOdd(oddRoom(number), days))
})
