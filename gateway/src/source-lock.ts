import type { Heard } from './adapters/adapter.ts'
import type { FlowTemperatureSettings, GatewaySettings, HotWaterSettings } from './config/settings.ts'
import { isObject, parseJson, textOf } from './json.ts'
import type { Log } from './log.ts'

export type LockReason = 'hot_water' | 'flow_temperature'

const HYSTERESIS_K = 2
const FLOW_COUNTS_MS = 900_000
/** A source that has said nothing for so long after it became busy is not believed any more: the house would go cold. */
const BUSY_COUNTS_MS = 3 * 3_600_000

/** While the source makes domestic hot water, or its flow is too hot for a floor, all water loops are closed. */
export class SourceLock {
  readonly #hotWater: HotWaterSettings | null
  readonly #flow: FlowTemperatureSettings | null
  readonly #log: Log
  #busy: { atMs: number } | null = null
  #flowC: { c: number; atMs: number } | null = null
  #reason: LockReason | null = null
  #sinceMs = 0
  #lostMs = 0

  constructor({ hotWater, flowTemperature }: GatewaySettings, log: Log) {
    this.#hotWater = hotWater
    this.#flow = flowTemperature
    this.#log = log
  }

  get subscriptions(): string[] {
    const from = this.#flow?.from
    return [...(this.#hotWater ? [this.#hotWater.topic] : []), ...(from && 'topic' in from ? [from.topic] : [])]
  }

  get isConfigured(): boolean {
    return this.#hotWater !== null || this.#flow !== null
  }

  get reason(): LockReason | null {
    return this.#reason
  }

  get supplyC(): number | null {
    return this.#flowC?.c ?? null
  }

  /** Heating time lost to the present lock, or to the last one. */
  get lostMs(): number {
    return this.#lostMs
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    if (topic === this.#hotWater?.topic) {
      const said = valueAt(payload, this.#hotWater.path)
      if (said !== undefined) this.#busy = String(said) === this.#hotWater.on ? { atMs: nowMs } : null
    }
    const from = this.#flow?.from
    if (from && 'topic' in from && topic === from.topic) {
      const c = Number(valueAt(payload, from.path) ?? Number.NaN)
      if (Number.isFinite(c)) this.#flowC = { c, atMs: nowMs }
    }
  }

  hear({ id, temperature, measuredMs }: Heard, wallMs: number, nowMs: number): void {
    const from = this.#flow?.from
    if (!from || !('sensorId' in from) || from.sensorId !== id) return
    this.#flowC = { c: temperature, atMs: nowMs - Math.max(0, wallMs - measuredMs) }
  }

  /** Whether the loops must be closed now. */
  step(nowMs: number): boolean {
    const reason = this.#reasonNow(nowMs)
    if (reason !== this.#reason) {
      if (reason && !this.#reason) this.#sinceMs = nowMs
      this.#reason = reason
      this.#log(reason ? `all loops are closed: ${this.#words(reason)}` : 'the source heats the floor again')
    }
    if (reason) this.#lostMs = nowMs - this.#sinceMs
    return reason !== null
  }

  #reasonNow(nowMs: number): LockReason | null {
    if (this.#busy && nowMs - this.#busy.atMs < BUSY_COUNTS_MS) return 'hot_water'
    if (!this.#flow || !this.#flowC || nowMs - this.#flowC.atMs > FLOW_COUNTS_MS) return null
    const fromC = this.#reason === 'flow_temperature' ? this.#flow.maxC - HYSTERESIS_K : this.#flow.maxC
    return this.#flowC.c >= fromC ? 'flow_temperature' : null
  }

  #words(reason: LockReason): string {
    return reason === 'hot_water'
      ? 'the source makes domestic hot water'
      : `the flow has ${this.#flowC?.c} °C, and ${this.#flow?.maxC} °C is allowed`
  }
}

/** A value inside a JSON payload, by names with dots between them; without a path the whole payload. */
export function valueAt(payload: Uint8Array, path: string | null): unknown {
  if (path === null) return textOf(payload)
  let value: unknown = parseJson(payload)
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined
  return value
}
