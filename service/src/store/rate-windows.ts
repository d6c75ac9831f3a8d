export interface RateWindow {
  used: number
  endsAtMs: number
  exceeded: boolean
}

/** Counts of requests that all processes share, where the engine has room for them. */
export interface RateWindows {
  /** Counts one more in the running window, or begins a new one; nothing is counted beyond the limit. */
  spend(name: string, limit: number, windowMs: number, nowMs: number): Promise<RateWindow>
  /** Takes one back; undefined where no window runs. */
  refund(name: string, nowMs: number): Promise<Omit<RateWindow, 'exceeded'> | undefined>
  /** Keys that have gone quiet leave nothing behind. */
  forget(nowMs: number): Promise<void>
}
