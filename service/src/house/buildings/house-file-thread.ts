import { parentPort } from 'node:worker_threads'
import { parseHouseFile } from './house-file.ts'

parentPort?.on('message', (text: string) => {
  // All is loaded: from here on it is the file that takes time.
  parentPort?.postMessage('begun')
  parentPort?.postMessage(parseHouseFile(text))
})
