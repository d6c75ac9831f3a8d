import { Worker } from 'node:worker_threads'
import type { ParsedHouse } from './house-file.ts'

const MOST_MS = 5000
const MOST_MEMORY_MB = 128

let before: Promise<unknown> = Promise.resolve()

/** Parses a file of an owner beside the main thread, one at a time, and gives it up when it takes too long. */
export function readHouseFile(text: string, mostMs = MOST_MS): Promise<ParsedHouse> {
  const mine = before.then(() => parsedInThread(text, mostMs))
  before = mine.catch(() => undefined)
  return mine
}

async function parsedInThread(text: string, mostMs: number): Promise<ParsedHouse> {
  const worker = new Worker(new URL('./house-file-thread.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<ParsedHouse>((resolve) => {
      worker.on('message', (message: 'ready' | ParsedHouse) => {
        if (message !== 'ready') return resolve(message)
        timer = setTimeout(() => resolve(refused(`the file takes longer than ${mostMs / 1000} s to read`)), mostMs)
      })
      worker.once('error', (error) => resolve(refused(`the file cannot be read: ${(error as Error).message}`)))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

const refused = (message: string): ParsedHouse => ({ ok: false, problems: [{ line: 1, field: '', message }] })
