import { parentPort, workerData } from 'node:worker_threads'
import { parseHouseFile } from './house-file.ts'

parentPort?.postMessage(parseHouseFile(workerData as string))
