import type { HeldOff } from '@hypocaust/domain'
import type { Heard } from '../adapters/adapter.ts'

const SILENT_AFTER_MS = 1_800_000
const HYSTERESIS_C = 0.5

/** A sensor in the floor. Its reading counts from the moment it was measured, not from its arrival. */
export class FloorProbe {
  readonly #sensorId: string
  readonly #maxC: number
  #measured: { atMs: number; c: number; isHot: boolean } | null = null

  constructor({ sensorId, maxC }: { sensorId: string; maxC: number }) {
    this.#sensorId = sensorId
    this.#maxC = maxC
  }

  hear({ id, temperature, measuredMs }: Heard, wallMs: number, nowMs: number): void {
    if (id !== this.#sensorId) return
    const atMs = nowMs - Math.max(0, wallMs - measuredMs)
    if (this.#measured && atMs < this.#measured.atMs) return
    const hotFromC = this.#measured?.isHot ? this.#maxC - HYSTERESIS_C : this.#maxC
    this.#measured = { atMs, c: temperature, isHot: temperature >= hotFromC }
  }

  /** Null while it is silent. */
  temperatureC(nowMs: number): number | null {
    return this.#measured && nowMs - this.#measured.atMs <= SILENT_AFTER_MS ? this.#measured.c : null
  }

  /** A hot floor stops any loop, an electric mat also stops without a fresh reading; against frost they only limit it. */
  holdsOff(heat: 'hydronic' | 'electric', nowMs: number): HeldOff | null {
    const isSilent = this.#measured === null || nowMs - this.#measured.atMs > SILENT_AFTER_MS
    if (isSilent) return heat === 'electric' ? 'no_floor_probe' : null
    return this.#measured?.isHot ? 'floor_limit' : null
  }
}
