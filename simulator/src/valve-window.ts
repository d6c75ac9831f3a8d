import type { WindowReport } from '@hypocaust/domain'

type WindowSource = 'command' | 'fallback' | 'watched'
export type Order = { power: number; windowS: number; seq: number | null; source: WindowSource }

/** One channel's window: open for its share first, then closed; a changed order counts from the same start. */
export class ValveWindow {
  readonly channel: number
  private order: Order = { power: 0, windowS: 1800, seq: null, source: 'fallback' }
  private elapsedS = 0
  private openS = 0
  private startMs: number

  constructor(channel: number, nowMs: number) {
    this.channel = channel
    this.startMs = nowMs
  }

  /** The electrical command for the next `dtS`, and the report of a window that ended. */
  advance(dtS: number, order: Order, minOpenS: number, nowMs: number): { open: number; report: WindowReport | null } {
    let report: WindowReport | null = null
    if (this.elapsedS >= this.order.windowS || this.elapsedS >= order.windowS) {
      report = this.report()
      this.elapsedS = 0
      this.openS = 0
      this.startMs = nowMs
    }
    this.order = order
    const open = order.source === 'watched' ? order.power : this.opens(dtS, order, minOpenS)
    this.elapsedS += dtS
    this.openS += open * dtS
    return { open, report }
  }

  private opens(dtS: number, { power, windowS }: Order, minOpenS: number): 0 | 1 {
    const wantedS = power * windowS
    const isWorthIt = wantedS >= Math.min(minOpenS, windowS)
    return isWorthIt && this.openS < wantedS - 0.5 * dtS ? 1 : 0
  }

  private report(): WindowReport {
    const { seq, source } = this.order
    return {
      channel: this.channel,
      seq,
      start: new Date(this.startMs).toISOString(),
      window_s: Math.round(this.elapsedS),
      open_s: Math.round(this.openS),
      source,
    }
  }
}
