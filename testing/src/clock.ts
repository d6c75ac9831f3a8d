import type { Clock } from '../../service/src/base/clock.ts'

export const MINUTE_MS = 60_000

const START_MS = Date.parse('2026-01-10T08:15:03.000Z')

export class TestClock implements Clock {
  #nowMs = START_MS
  #elapsedMs = 0

  now(): number {
    return this.#nowMs
  }

  elapsedMs(): number {
    return this.#elapsedMs
  }

  advance(ms: number): void {
    this.#nowMs += ms
    this.#elapsedMs += ms
  }

  /** The time of day is set; no time passes. */
  step(ms: number): void {
    this.#nowMs += ms
  }

  startOver(): void {
    this.#nowMs = START_MS
  }
}
