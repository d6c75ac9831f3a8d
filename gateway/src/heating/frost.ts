import { FROST } from '@hypocaust/domain/facts'
import type { Heard } from '../adapters/adapter.ts'

const FRESH_MS = 1_800_000
/** A sensor may fail of the cold: what it said last counts on for so long. */
const COLD_LASTS_MS = 2 * 3_600_000

/** Which rooms are so cold that their pipes may freeze, by the sensors of the service's configuration. */
export class Frost {
  readonly #sensors = new Map<string, { atMs: number; isCold: boolean }>()
  #watched: ReadonlySet<string> = new Set()

  watch(sensorIds: Iterable<string>): void {
    this.#watched = new Set(sensorIds)
    for (const id of this.#sensors.keys()) if (!this.#watched.has(id)) this.#sensors.delete(id)
  }

  /** A reading counts from the moment it was measured, not from its arrival. */
  hear({ id, temperature, measuredMs }: Heard, wallMs: number, nowMs: number): void {
    if (!this.#watched.has(id)) return
    const atMs = nowMs - Math.max(0, wallMs - measuredMs)
    const before = this.#sensors.get(id)
    if (before && atMs < before.atMs) return
    const wasCold = before?.isCold === true
    const isFresh = nowMs - atMs <= FRESH_MS
    this.#sensors.set(id, {
      atMs,
      isCold: temperature < (wasCold ? FROST.overC : FROST.belowC) && (wasCold || isFresh),
    })
  }

  isCold(sensorIds: readonly string[], nowMs: number): boolean {
    return sensorIds.some((id) => {
      const sensor = this.#sensors.get(id)
      return sensor?.isCold === true && nowMs - sensor.atMs <= COLD_LASTS_MS
    })
  }
}
