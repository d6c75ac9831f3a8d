import { METER_KINDS, type MeterKind, type MeterReading, timestampOf } from '@hypocaust/domain'
import type { Log } from '../base/log.ts'
import { numberOf, valueAt } from './value.ts'

/** Every change is a message: a counter is reported this often at most. */
const REPORT_EVERY_MS = 300_000
/** A counter may begin again once in a while. One that keeps falling is a power. */
const SUSPICIOUS_FALLS = 3
/** No counter of a house goes further, nor do several of a kind together go further than the service takes. */
const MOST_KWH = 1e8

export interface MeterSettings {
  kind: MeterKind
  topic: string
  path: string | null
  kwhPerUnit: number
}

interface Counter {
  kwh: number
  wallMs: number
  falls: number
}

/** Follows the counters of the heat source: several of a kind, as of three phases, count together. */
export class Meters {
  readonly #settings: MeterSettings[]
  readonly #log: Log
  readonly #counters = new Map<MeterSettings, Counter>()
  readonly #complainedOf = new Set<MeterSettings>()
  #reported: { atMs: number; meters: MeterReading[] } | null = null

  constructor(settings: MeterSettings[], log: Log) {
    this.#settings = settings
    this.#log = log
  }

  get subscriptions(): string[] {
    return this.#settings.map(({ topic }) => topic)
  }

  get isConfigured(): boolean {
    return this.#settings.length > 0
  }

  receive(topic: string, payload: Uint8Array, wallMs: number): void {
    for (const meter of this.#settings) if (meter.topic === topic) this.#hear(meter, payload, wallMs)
  }

  /** What there is to report; the same for some minutes. */
  readings(nowMs: number): MeterReading[] {
    const isDue = this.#reported === null || nowMs - this.#reported.atMs >= REPORT_EVERY_MS
    const meters = isDue ? this.#now() : []
    if (meters.length > 0) this.#reported = { atMs: nowMs, meters }
    return this.#reported?.meters ?? []
  }

  #now(): MeterReading[] {
    return METER_KINDS.flatMap((kind) => this.#readingOf(kind) ?? [])
  }

  #readingOf(kind: MeterKind): MeterReading | null {
    const counters = this.#settings.filter((each) => each.kind === kind).map((each) => this.#counters.get(each))
    if (counters.length === 0 || counters.some((counter) => counter === undefined)) return null
    const heard = counters as Counter[]
    const kwh = heard.reduce((sum, each) => sum + each.kwh, 0)
    return {
      kind,
      kwh: Math.round(1000 * kwh) / 1000,
      timestamp: timestampOf(Math.max(...heard.map(({ wallMs }) => wallMs))),
    }
  }

  #hear(meter: MeterSettings, payload: Uint8Array, wallMs: number): void {
    const value = valueAt(payload, meter.path)
    const where = meter.path === null ? meter.topic : `${meter.path} of ${meter.topic}`
    const kwh = (numberOf(value) ?? -1) * meter.kwhPerUnit
    if (kwh < 0 || kwh > MOST_KWH) {
      this.#complain(
        meter,
        `${where} is ${JSON.stringify(value) ?? 'missing'}; a counter from 0 to ${MOST_KWH} kWh is needed`,
      )
      return
    }
    const before = this.#counters.get(meter)
    const falls = (before?.falls ?? 0) + (before && kwh < before.kwh ? 1 : 0)
    if (falls === SUSPICIOUS_FALLS)
      this.#complain(
        meter,
        `${where} falls again and again; is it a power in W or kW? A meter needs a counter that rises`,
      )
    this.#counters.set(meter, { kwh, wallMs, falls })
  }

  #complain(meter: MeterSettings, why: string): void {
    if (this.#complainedOf.has(meter)) return
    this.#complainedOf.add(meter)
    this.#log(`${meter.kind} meter: ${why}`)
  }
}
