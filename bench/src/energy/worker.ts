import { parentPort } from 'node:worker_threads'
import { estimateMonth } from './estimate.ts'
import { simulateMonth } from './month.ts'
import { measureSavings } from './savings.ts'

export type EnergyTask = { seed: number; measured: 'heat' | 'savings' }

parentPort?.on('message', ({ seed, measured }: EnergyTask) => {
  parentPort?.postMessage(measured === 'heat' ? estimateMonth(simulateMonth({ seed })) : measureSavings(seed))
})
