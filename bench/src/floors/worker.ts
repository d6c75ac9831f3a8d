import { parentPort } from 'node:worker_threads'
import { type FloorJob, runFloor } from './run.ts'

parentPort?.on('message', (job: FloorJob) => {
  parentPort?.postMessage(runFloor(job))
})
