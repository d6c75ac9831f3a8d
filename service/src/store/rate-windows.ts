export interface RunningWindow {
  used: number
  endsAtMs: number
}

export interface RateWindow extends RunningWindow {
  exceeded: boolean
}

/** The window of an API key, by a name that a statement can make of the key's id. */
export const keyWindow = (keyId: string, budget: string): string => `api/${keyId}/${budget}`

/** Counts of requests that all processes share, where the engine has room for them. */
export interface RateWindows {
  /** Counts so many more in the running window, or begins a new one; nothing is counted once the limit is reached. */
  spend(name: string, limit: number, windowMs: number, nowMs: number, units: number): Promise<RateWindow>
  /** Takes one back; undefined where no window runs. */
  refund(name: string, nowMs: number): Promise<RunningWindow | undefined>
  /** Keys that have gone quiet leave nothing behind. */
  forget(nowMs: number): Promise<void>
}
