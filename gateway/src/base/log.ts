export type Log = (line: string) => void

const QUIET_MS = 60_000
const MOST_SUBJECTS = 500

export interface Complain {
  (subject: string, line: string): void
  /** Writes what was held back, once its minute is over. Called now and then. */
  flush(): void
}

/**
 * The same complaint at most once a minute: a broken device must not fill the disk with its name. The last one within
 * the minute is written when the minute is over, so that the log ends with the state that holds.
 */
export function throttled(log: Log, monotonicMs: () => number): Complain {
  const said = new Map<string, { atMs: number; heldBack: string | null }>()
  const flush = () => {
    const nowMs = monotonicMs()
    for (const [subject, { atMs, heldBack }] of said) {
      if (heldBack === null || nowMs - atMs < QUIET_MS) continue
      said.set(subject, { atMs: nowMs, heldBack: null })
      log(heldBack)
    }
  }
  const complain = (subject: string, line: string) => {
    const nowMs = monotonicMs()
    const last = said.get(subject)
    if (last && nowMs - last.atMs < QUIET_MS) {
      said.set(subject, { ...last, heldBack: line })
      return
    }
    if (said.size >= MOST_SUBJECTS) said.clear()
    said.set(subject, { atMs: nowMs, heldBack: null })
    log(line)
  }
  return Object.assign(complain, { flush })
}
