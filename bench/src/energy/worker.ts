import { parentPort } from 'node:worker_threads'
import { estimateMonth } from './estimate.ts'
import { simulateMonth } from './month.ts'

parentPort?.on('message', (seed: number) => {
  parentPort?.postMessage(estimateMonth(simulateMonth({ seed })))
})
