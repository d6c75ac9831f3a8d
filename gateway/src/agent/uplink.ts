import { type ContactReading, type GatewayReading, type Readings, timestampOf } from '@hypocaust/domain'
import type { Heard } from '../adapters/adapter.ts'
import { keyOf, type Message, type ReadingBuffer } from './buffer.ts'

const LIVE_MS = 120_000
/** A broker that stumbled may have lost it; after that the service is slow, and haste would make it slower. */
const FIRST_RESEND_MS = 5_000
const RESEND_MS = 30_000
const MOST_UNANSWERED = 32
const BACKLOG_UNANSWERED = 16
const BACKLOG_REFILL_BELOW = 8
const MOST_PER_MESSAGE = 100

/** What goes up in a message of readings. */
export type WireReading = GatewayReading | ContactReading

export interface Instant {
  monoMs: number
  wallMs: number
  clockOk: boolean
}

/** Readings on their way up: live ones at once, the backlog oldest first, each again until it is committed. */
export class Uplink {
  readonly #buffer: ReadingBuffer
  readonly #send: (message: Readings) => void
  readonly #unanswered = new Map<string, number>()
  readonly #resent = new Set<string>()

  constructor(buffer: ReadingBuffer, send: (message: Readings) => void) {
    this.#buffer = buffer
    this.#send = send
  }

  /** Stores the readings, then sends them. Tells how many of the oldest had to go for them. */
  add(all: WireReading[], connected: boolean, now: Instant): number {
    let lost = 0
    for (let from = 0; from < all.length; from += MOST_PER_MESSAGE) {
      const readings = all.slice(from, from + MOST_PER_MESSAGE)
      const { message, dropped } = this.#buffer.append(readings, now)
      lost += dropped
      if (connected && this.#unanswered.size < MOST_UNANSWERED) this.#publish(message, now)
    }
    return lost
  }

  /** A new connection: whatever was under way on the old one may be gone. */
  connected(): void {
    this.#unanswered.clear()
    this.#resent.clear()
  }

  committed(message: { boot: string; n: number }): void {
    this.#buffer.commit(message)
    this.#unanswered.delete(keyOf(message))
    this.#resent.delete(keyOf(message))
  }

  /** Sends what waits, as far as the service keeps up. */
  pump(now: Instant): void {
    for (const [key, sentMs] of this.#unanswered) {
      if (now.monoMs - sentMs <= (this.#resent.has(key) ? RESEND_MS : FIRST_RESEND_MS)) continue
      this.#unanswered.delete(key)
      this.#resent.add(key)
    }
    if (this.#unanswered.size >= BACKLOG_REFILL_BELOW || this.#unanswered.size >= this.#buffer.messages) return
    const room = BACKLOG_UNANSWERED - this.#unanswered.size
    for (const message of this.#buffer.oldest(room, this.#unanswered)) this.#publish(message, now)
  }

  #publish(message: Message, now: Instant): void {
    this.#unanswered.set(keyOf(message), now.monoMs)
    const ofThisBoot = message.boot === this.#buffer.boot
    const backfill = !ofThisBoot || now.monoMs - message.heardMonoMs > LIVE_MS
    const canBeDated = this.#buffer.isOfSameStart(message)
    const readings = canBeDated && !message.clockOk && now.clockOk ? corrected(message, now) : message.readings
    this.#send({ boot: message.boot, n: message.n, backfill, readings })
  }
}

/** Heard before the clock was set: monotonic time tells how long ago that was. */
function corrected(message: Message, now: Instant): WireReading[] {
  const shiftMs = now.wallMs - now.monoMs - (message.heardWallMs - message.heardMonoMs)
  return message.readings.map((reading) => ({
    ...reading,
    timestamp: timestampOf(Date.parse(reading.timestamp) + shiftMs),
  }))
}

export function wireReading({ id, temperature, humidity, batt, rssi, measuredMs }: Heard): GatewayReading {
  return { id, temperature, humidity, batt, rssi, timestamp: timestampOf(measuredMs) }
}
