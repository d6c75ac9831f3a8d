import type { CoverOrder, CoverReport } from '@hypocaust/domain'
import { ageMs, type Clock, type Moment, momentAt } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { SubscribedValue } from '../inputs/value.ts'
import type { CoverSettings } from './settings.ts'

interface CoverParts {
  settings: CoverSettings
  clock: Clock
  /** Says whether the broker took it. */
  publish(message: { topic: string; payload: string }): boolean
  log: Log
  /** On disk, for a restart. */
  keep(kept: KeptCover | null): void
}

/** What it was moved to, or that a person has moved it since. */
interface Held {
  /** Until the end of the day. */
  isLeft: boolean
  position: number
  /** Where it was before. */
  before: number
  movedMs: number
  openMs: number
  dayEndsMs: number
}

export type KeptCover = Pick<Held, 'isLeft' | 'position' | 'before'> & {
  moved: Moment
  openAfterMs: number
  dayEndsAfterMs: number
}

/** What slats and belts miss of a position. */
const OFF_BY = 10
/** Until then it may be on its way, and report where it is. */
const TRAVEL_MS = 5 * 60_000
/** A position is known until it is reported anew, however long that takes. */
const ANY_AGE_MS = Number.POSITIVE_INFINITY

/**
 * Moves a cover twice: down when it is ordered, and back when the order ends. What a person does with it after the first
 * stands until the end of the day, and a cover that is down already is a person's.
 */
export class Cover {
  readonly #parts: CoverParts
  readonly #reported: SubscribedValue
  #held: Held | null = null

  constructor(parts: CoverParts) {
    this.#parts = parts
    this.#reported = new SubscribedValue(parts.settings.state, 'percent')
  }

  get subscriptions(): string[] {
    return this.#reported.subscriptions
  }

  get report(): CoverReport {
    const { name } = this.#parts.settings
    return { name, held: this.#held === null ? 'no' : this.#held.isLeft ? 'left' : 'moved' }
  }

  /** After a restart; where nobody can tell how long it took, as if it had taken no time. */
  start(kept: KeptCover, isClockOk: boolean): void {
    const { clock } = this.#parts
    const { moved, openAfterMs, dayEndsAfterMs, ...held } = kept
    const movedMs = clock.monotonicMs() - (ageMs(moved, clock, isClockOk) ?? 0)
    this.#held = { ...held, movedMs, openMs: movedMs + openAfterMs, dayEndsMs: movedMs + dayEndsAfterMs }
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    this.#reported.receive(topic, payload, nowMs)
  }

  /** Without an order it is not needed any more. */
  order(order: CoverOrder | undefined, nowMs: number): void {
    this.step(nowMs)
    const held = this.#held
    if (held?.isLeft) return
    const openMs = nowMs + (order?.for_s ?? 0) * 1000
    if (!order) {
      if (held) this.#hold({ ...held, openMs })
    } else {
      const dayEndsMs = nowMs + order.day_s * 1000
      if (held) this.#hold({ ...held, openMs, dayEndsMs })
      else this.#close(order, { openMs, dayEndsMs }, nowMs)
    }
    this.step(nowMs)
  }

  step(nowMs: number): void {
    const held = this.#held
    if (!held) return
    if (held.isLeft) {
      if (nowMs >= held.dayEndsMs) this.#hold(null)
    } else if (this.#isMovedByAPerson(held, nowMs)) {
      this.#parts.log(`the cover ${this.#parts.settings.name} was moved by hand: it is left alone until tomorrow`)
      this.#hold({ ...held, isLeft: true })
    } else if (nowMs >= held.openMs) {
      if (this.#move(held.before)) this.#hold(null)
    }
  }

  #close({ position }: CoverOrder, times: Pick<Held, 'openMs' | 'dayEndsMs'>, nowMs: number): void {
    const before = this.#reported.valueWithin(ANY_AGE_MS, nowMs)
    // One that has not said where it is may have been closed by a person, who would find it open afterwards.
    if (before === null) return
    const isLeft = before <= position + OFF_BY
    if (isLeft || this.#move(position)) this.#hold({ isLeft, position, before, movedMs: nowMs, ...times })
  }

  #isMovedByAPerson({ position, movedMs }: Held, nowMs: number): boolean {
    if (nowMs - movedMs < TRAVEL_MS) return false
    const reported = this.#reported.valueWithin(nowMs - movedMs - 1, nowMs)
    return reported !== null && Math.abs(reported - position) > OFF_BY
  }

  #move(position: number): boolean {
    const { settings, publish } = this.#parts
    return publish({
      topic: settings.topic,
      payload: settings.payload.replaceAll('{position}', String(Math.round(position))),
    })
  }

  #hold(held: Held | null): void {
    this.#held = held
    const { keep, clock } = this.#parts
    if (held === null) {
      keep(null)
      return
    }
    const { movedMs, openMs, dayEndsMs, ...rest } = held
    const after = { openAfterMs: openMs - movedMs, dayEndsAfterMs: dayEndsMs - movedMs }
    keep({ ...rest, moved: momentAt(clock, movedMs), ...after })
  }
}
