import { Worker } from 'node:worker_threads'
import { LimitedThread, THREAD_MEMORY } from '../../base/limited-thread.ts'
import { threadEnv } from '../../base/thread-env.ts'
import type { ParsedHouse } from './house-file.ts'

const MOST_MS = 5000

const thread = new LimitedThread<string, ParsedHouse>(
  () =>
    new Worker(new URL('./house-file-thread.ts', import.meta.url), { env: threadEnv(), resourceLimits: THREAD_MEMORY }),
)

/** Parses a file of an owner beside the main thread, one at a time, and gives it up when it takes too long. */
export async function readHouseFile(text: string, mostMs = MOST_MS): Promise<ParsedHouse> {
  const read = await thread.read(text, mostMs)
  return read.ok ? read.output : { ok: false, problems: [{ line: 1, field: '', message: `the file ${read.message}` }] }
}
