import { Worker } from 'node:worker_threads'
import { LimitedThread, THREAD_MEMORY } from '../../base/limited-thread.ts'
import { threadEnv } from '../../base/thread-env.ts'
import type { CalendarReading, ReadAt } from './occurrences.ts'

const MOST_MS = 5000

const thread = new LimitedThread<{ text: string; at: ReadAt }, CalendarReading>(
  () =>
    new Worker(new URL('./calendar-thread.ts', import.meta.url), { env: threadEnv(), resourceLimits: THREAD_MEMORY }),
)

/** Reads a feed beside the main thread: its repetitions may be without end. */
export async function readCalendar(
  text: string,
  at: ReadAt,
  mostMs = MOST_MS,
): Promise<CalendarReading | { ok: false; problem: 'too_slow' }> {
  const read = await thread.read({ text, at }, mostMs)
  return read.ok ? read.output : { ok: false, problem: 'too_slow' }
}
