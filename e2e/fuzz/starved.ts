import { readdirSync, readFileSync } from 'node:fs'

/**
 * How long the threads of a process have waited for a processor so far, by the scheduler's books. On a machine with
 * other work a request can take seconds of which the service has had a few milliseconds.
 */
export function starvedMs(pid: number): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((id) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[1]),
    )
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    // The process has ended, or a thread of it: nothing can be said of this moment.
    return 0
  }
}
