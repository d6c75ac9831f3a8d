import type { GatewayReading, Readings } from '@hypocaust/domain'

const SEVEN_DAYS_OF_MINUTES = 10_080

/** Readings not yet committed by the service: deleted only on `commit`, never on the transport's word. */
export class Outbox {
  readonly boot: string
  private n = 0
  private readonly pending = new Map<number, { readings: GatewayReading[]; atMs: number }>()

  constructor(boot: string) {
    this.boot = boot
  }

  get size(): number {
    return this.pending.size
  }

  add(readings: GatewayReading[], nowMs: number): Readings {
    this.n += 1
    this.pending.set(this.n, { readings, atMs: nowMs })
    const oldest = this.pending.keys().next().value
    if (this.pending.size > SEVEN_DAYS_OF_MINUTES && oldest !== undefined) this.pending.delete(oldest)
    return { boot: this.boot, n: this.n, backfill: false, readings }
  }

  commit(boot: string, n: number) {
    if (boot === this.boot) this.pending.delete(n)
  }

  /** What waits since before `beforeMs`, newest first: live readings go before the backlog. */
  waiting(beforeMs: number, limit: number): Readings[] {
    return [...this.pending]
      .filter(([, entry]) => entry.atMs < beforeMs)
      .slice(-limit)
      .reverse()
      .map(([n, { readings }]) => ({ boot: this.boot, n, backfill: true, readings }))
  }
}
