export type Log = (line: string) => void

const QUIET_MS = 60_000
const MOST_SUBJECTS = 500

export interface Complain {
  /** `about`: what the line is the state of. A later line about the same leaves nothing of an earlier one to be written. */
  (subject: string, line: string, about?: string): void
  /** Writes what was held back, once its minute is over. Called now and then. */
  flush(): void
}

interface Said {
  atMs: number
  about: string
  heldBack: { line: string; atMs: number } | null
}

/**
 * The same complaint at most once a minute: a broken device must not fill the disk with its name. The last one within
 * the minute is written when the minute is over, with its age, so that the log ends with the state that holds.
 */
export function throttled(log: Log, monotonicMs: () => number): Complain {
  const said = new Map<string, Said>()
  const flush = () => {
    const nowMs = monotonicMs()
    for (const [subject, { atMs, about, heldBack }] of said) {
      if (heldBack === null || nowMs - atMs < QUIET_MS) continue
      said.set(subject, { atMs: nowMs, about, heldBack: null })
      const agoS = Math.round((nowMs - heldBack.atMs) / 1000)
      log(agoS > 0 ? `${heldBack.line} (${agoS} s ago)` : heldBack.line)
    }
  }
  const complain = (subject: string, line: string, about = subject) => {
    const nowMs = monotonicMs()
    for (const each of said.values()) if (each.about === about) each.heldBack = null
    const last = said.get(subject)
    if (last && nowMs - last.atMs < QUIET_MS) {
      said.set(subject, { ...last, heldBack: { line, atMs: nowMs } })
      return
    }
    if (said.size >= MOST_SUBJECTS) said.clear()
    said.set(subject, { atMs: nowMs, about, heldBack: null })
    log(line)
  }
  return Object.assign(complain, { flush })
}
