import type { Heard } from './adapters/adapter.ts'

const SILENT_AFTER_MS = 1_800_000
const HYSTERESIS_C = 0.5

/** A sensor in the floor. Its reading counts from the moment it was measured, not from its arrival. */
export class FloorProbe {
  readonly #sensorId: string
  readonly #maxC: number
  #measured: { atMs: number; isHot: boolean } | null = null
  #startedMs: number

  constructor({ sensorId, maxC }: { sensorId: string; maxC: number }, nowMs: number) {
    this.#sensorId = sensorId
    this.#maxC = maxC
    this.#startedMs = nowMs
  }

  hear({ id, temperature, measuredMs }: Heard, wallMs: number, nowMs: number): void {
    if (id !== this.#sensorId) return
    const atMs = nowMs - Math.max(0, wallMs - measuredMs)
    if (this.#measured && atMs < this.#measured.atMs) return
    const hotFromC = this.#measured?.isHot ? this.#maxC - HYSTERESIS_C : this.#maxC
    this.#measured = { atMs, isHot: temperature >= hotFromC }
  }

  /** A hot floor stops any loop; an electric mat also stops without a fresh reading. */
  forbids(heat: 'hydronic' | 'electric', nowMs: number): boolean {
    const isSilent = nowMs - (this.#measured?.atMs ?? this.#startedMs) > SILENT_AFTER_MS
    const isHot = this.#measured?.isHot === true && !isSilent
    return heat === 'electric' ? this.#measured === null || isSilent || isHot : isHot
  }
}
