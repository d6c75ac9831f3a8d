import { FROST } from '@hypocaust/domain/facts'
import type { Heard } from '../adapters/adapter.ts'
import { ageMs, type Clock, type Moment, momentAt } from '../base/clock.ts'
import type { Store } from '../base/store.ts'

const FRESH_MS = 1_800_000
/** A sensor may fail of the cold: what it said last counts on for so long. */
const COLD_LASTS_MS = 2 * 3_600_000
/** How old the time of a cold reading on disk may become before it is written again. */
const KEEP_AGAIN_MS = 600_000
/** As many sensors as a building may have. Any device on the broker could name more. */
const MOST_SENSORS = 500

interface FrostParts {
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
}

/** When each cold sensor last reported. */
type Kept = Record<string, Moment>

/**
 * Which rooms are so cold that their pipes may freeze. Every sensor is followed: at the first start, readings may come
 * before the service's configuration says which room each belongs to, and the next ones minutes later.
 */
export class Frost {
  readonly #parts: FrostParts
  readonly #sensors = new Map<string, { atMs: number; isCold: boolean }>()
  #watched: ReadonlySet<string> = new Set()
  /** When each cold sensor reported, as it stands on disk. */
  readonly #keptMs = new Map<string, number>()

  constructor(parts: FrostParts) {
    this.#parts = parts
  }

  /** A restart must not forget a cold room whose sensor has fallen silent. */
  start(): void {
    const { store, clock, isClockOk } = this.#parts
    const nowMs = clock.monotonicMs()
    for (const [id, moment] of Object.entries(store.get<Kept | null>('frost') ?? {})) {
      // Where nobody knows how long the machine was off, the cold counts from now on.
      const atMs = nowMs - (ageMs(moment, clock, isClockOk()) ?? 0)
      this.#keptMs.set(id, atMs)
      if (!this.#sensors.has(id)) this.#sensors.set(id, { atMs, isCold: true })
    }
  }

  /** The sensors of the rooms: only these are kept on disk. */
  watch(sensorIds: Iterable<string>): void {
    this.#watched = new Set(sensorIds)
    this.#keep()
  }

  /** A reading counts from the moment it was measured, not from its arrival. */
  hear({ id, temperature, measuredMs }: Heard): void {
    if (!this.#sensors.has(id) && !this.#watched.has(id) && this.#sensors.size >= MOST_SENSORS) return
    const { clock } = this.#parts
    const nowMs = clock.monotonicMs()
    const atMs = nowMs - Math.max(0, clock.nowMs() - measuredMs)
    const before = this.#sensors.get(id)
    if (before && atMs < before.atMs) return
    const wasCold = before?.isCold === true
    const isFresh = nowMs - atMs <= FRESH_MS
    this.#sensors.set(id, {
      atMs,
      isCold: temperature < (wasCold ? FROST.overC : FROST.belowC) && (wasCold || isFresh),
    })
    this.#keep()
  }

  isCold(sensorIds: readonly string[], nowMs: number): boolean {
    return sensorIds.some((id) => {
      const sensor = this.#sensors.get(id)
      return sensor?.isCold === true && nowMs - sensor.atMs <= COLD_LASTS_MS
    })
  }

  /** Written when a sensor becomes cold or warm, and now and then while it is cold. */
  #keep(): void {
    const cold = [...this.#sensors].flatMap(([id, { isCold, atMs }]) =>
      isCold && this.#watched.has(id) ? [{ id, atMs }] : [],
    )
    const isNews = ({ id, atMs }: { id: string; atMs: number }) =>
      atMs - (this.#keptMs.get(id) ?? Number.NEGATIVE_INFINITY) >= KEEP_AGAIN_MS
    if (cold.length === this.#keptMs.size && !cold.some(isNews)) return
    const { store, clock } = this.#parts
    this.#keptMs.clear()
    for (const { id, atMs } of cold) this.#keptMs.set(id, atMs)
    store.put('frost', Object.fromEntries(cold.map(({ id, atMs }) => [id, momentAt(clock, atMs)])) satisfies Kept)
  }
}
