import type { SourceCommand, SourceReport } from '@hypocaust/domain'

/** A heat source that a gateway asks for water: for what the service says while that holds, else its own curve decides. */
export class VirtualSource {
  private command: { value: SourceCommand; arrivedMs: number } | null = null

  /** An older command changes nothing. */
  take(value: SourceCommand, nowMs: number) {
    const last = this.command?.value
    const isOlder = last && (value.epoch < last.epoch || (value.epoch === last.epoch && value.seq < last.seq))
    if (!isOlder || this.waterC(nowMs) === null) this.command = { value, arrivedMs: nowMs }
  }

  /** Null while its own curve decides. */
  waterC(nowMs: number): number | null {
    if (!this.command) return null
    const { value, arrivedMs } = this.command
    return nowMs - arrivedMs < value.valid_s * 1000 ? (value.supply_c ?? null) : null
  }

  /** Null before anything was asked: a source with a curve of its own has nothing to report. */
  report(nowMs: number): SourceReport | null {
    if (!this.command) return null
    const waterC = this.waterC(nowMs)
    return {
      lock: null,
      supply_c: waterC,
      supply_set_c: waterC,
      sg_ready: null,
      surplus_w: null,
      surplus_forecast: null,
      prices: null,
    }
  }
}
