export type Log = (line: string) => void

const QUIET_MS = 60_000
const MOST_SUBJECTS = 500

/** The same complaint at most once a minute: a broken device must not fill the disk with its name. */
export function throttled(log: Log, monotonicMs: () => number): (subject: string, line: string) => void {
  const saidMs = new Map<string, number>()
  return (subject, line) => {
    const nowMs = monotonicMs()
    const last = saidMs.get(subject)
    if (last !== undefined && nowMs - last < QUIET_MS) return
    if (saidMs.size >= MOST_SUBJECTS) saidMs.clear()
    saidMs.set(subject, nowMs)
    log(line)
  }
}
