import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { Stall } from './stall.ts'

const { beats, lookEveryMs, stalledAfterMs } = workerData as {
  beats: Int32Array
  lookEveryMs: number
  stalledAfterMs: number
}
const stall = new Stall(Math.ceil(stalledAfterMs / lookEveryMs))

setInterval(() => {
  if (!stall.isStalled(Atomics.load(beats, 0))) return
  const msg = `the event loop has stood still for ${stalledAfterMs / 1000} s, or nearly; the process ends itself`
  writeSync(2, `${JSON.stringify({ level: 60, time: new Date().toISOString(), msg })}\n`)
  process.kill(process.pid, 'SIGKILL')
}, lookEveryMs)
