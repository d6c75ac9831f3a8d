import { parentPort } from 'node:worker_threads'
import { balanceTwice } from './balance-house.ts'
import { KNOWN_AFTER_DAYS, ReportedHouse, type Water } from './house.ts'
import { judgeReport, OUTDOOR_C } from './judge.ts'

export type ReportTask = { seed: number } & ({ measured: 'report'; water: Water } | { measured: 'balance' })

parentPort?.on('message', (task: ReportTask) => {
  parentPort?.postMessage(task.measured === 'balance' ? balanceTwice(task.seed) : reportOf(task.seed, task.water))
})

function reportOf(seed: number, water: Water) {
  const house = new ReportedHouse(seed, water)
  house.advance(KNOWN_AFTER_DAYS)
  return judgeReport({
    known: house.known(),
    meterKwh: house.meterKwh(),
    rest: house.atRest(OUTDOOR_C),
    warmer: house.atRest(OUTDOOR_C + 1),
  })
}
