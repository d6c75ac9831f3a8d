import { parentPort } from 'node:worker_threads'
import { estimateMonth } from './estimate.ts'
import { simulateMonth, WEEK } from './month.ts'
import { measureSavings } from './savings.ts'

export type EnergyTask = { seed: number; measured: 'heat' | 'savings'; isQuick: boolean }

parentPort?.on('message', ({ seed, measured, isQuick }: EnergyTask) => {
  const length = isQuick ? WEEK : undefined
  const result = measured === 'heat' ? estimateMonth(simulateMonth({ seed, length })) : measureSavings(seed, length)
  parentPort?.postMessage(result)
})
