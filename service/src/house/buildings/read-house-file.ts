import { Worker } from 'node:worker_threads'
import { threadEnv } from '../../base/thread-env.ts'
import type { ParsedHouse } from './house-file.ts'

const MOST_MS = 5000
const MOST_MEMORY_MB = 128
/** Loading the thread takes longer than most files; the next one, often the same corrected, finds it ready. */
const KEPT_MS = 30_000

let before: Promise<unknown> = Promise.resolve()

/** Parses a file of an owner beside the main thread, one at a time, and gives it up when it takes too long. */
export function readHouseFile(text: string, mostMs = MOST_MS): Promise<ParsedHouse> {
  const mine = before.then(() => parsedInThread(text, mostMs))
  before = mine.catch(() => undefined)
  return mine
}

async function parsedInThread(text: string, mostMs: number): Promise<ParsedHouse> {
  const worker = takeThread()
  const { promise, resolve } = Promise.withResolvers<{ parsed: ParsedHouse; isDone: boolean }>()
  const giveUp = (message: string) =>
    resolve({ parsed: { ok: false, problems: [{ line: 1, field: '', message }] }, isDone: false })
  let timer: NodeJS.Timeout | undefined
  const onMessage = (message: 'begun' | ParsedHouse) => {
    if (message !== 'begun') resolve({ parsed: message, isDone: true })
    else timer = setTimeout(() => giveUp(`the file takes longer than ${mostMs / 1000} s to read`), mostMs)
  }
  const onError = (error: unknown) => giveUp(`the file cannot be read: ${(error as Error).message}`)
  worker.on('message', onMessage).on('error', onError)
  worker.postMessage(text)
  const { parsed, isDone } = await promise
  clearTimeout(timer)
  worker.off('message', onMessage).off('error', onError)
  if (isDone) keepThread(worker)
  else await worker.terminate()
  return parsed
}

let kept: { worker: Worker; end: NodeJS.Timeout } | undefined

function takeThread(): Worker {
  if (kept) {
    const { worker, end } = kept
    kept = undefined
    clearTimeout(end)
    worker.ref()
    return worker
  }
  const worker = new Worker(new URL('./house-file-thread.ts', import.meta.url), {
    env: threadEnv(),
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  // What goes wrong while it is being ended concerns no file.
  return worker.on('error', () => {})
}

/** It does not keep the process from ending. */
function keepThread(worker: Worker): void {
  worker.unref()
  const end = setTimeout(() => {
    kept = undefined
    void worker.terminate()
  }, KEPT_MS)
  kept = { worker, end: end.unref() }
}
