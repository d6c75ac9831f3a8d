export interface RunningWindow {
  used: number
  endsAtMs: number
}

export interface RateWindow extends RunningWindow {
  exceeded: boolean
}

/** Counts of requests that all processes share, where the engine has room for them. */
export interface RateWindows {
  /** Counts one more in the running window, or begins a new one; nothing is counted beyond the limit. */
  spend(name: string, limit: number, windowMs: number, nowMs: number): Promise<RateWindow>
  /** Takes one back; undefined where no window runs. */
  refund(name: string, nowMs: number): Promise<RunningWindow | undefined>
  /** As it is; undefined where no window runs. */
  look(name: string, nowMs: number): Promise<RunningWindow | undefined>
  /** Keys that have gone quiet leave nothing behind. */
  forget(nowMs: number): Promise<void>
}
