import { parentPort } from 'node:worker_threads'
import { type ReadAt, readFeed } from './occurrences.ts'

parentPort?.on('message', ({ text, at }: { text: string; at: ReadAt }) => {
  // All is loaded: from here on it is the calendar that takes time.
  parentPort?.postMessage('begun')
  parentPort?.postMessage(readFeed(text, at))
})
