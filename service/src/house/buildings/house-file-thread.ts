import { parentPort, workerData } from 'node:worker_threads'
import { parseHouseFile } from './house-file.ts'

/** All is loaded: from here on it is the file that takes time. */
parentPort?.postMessage('ready')
parentPort?.postMessage(parseHouseFile(workerData as string))
