import type { CoverReport, SourceCommand } from '@hypocaust/domain'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import { Cover, type KeptCover } from './cover.ts'
import type { CoverSettings } from './settings.ts'

interface CoversParts {
  settings: readonly CoverSettings[]
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  isClockOk(): boolean
  publish(message: { topic: string; payload: string }): boolean
  log: Log
}

type Numbered = Pick<SourceCommand, 'epoch' | 'seq'>

const KEY = 'covers'

/** The covers of this gateway, as the service orders them. */
export class Covers {
  readonly #parts: CoversParts
  readonly #covers: ReadonlyMap<string, Cover>
  readonly #kept = new Map<string, KeptCover>()
  #last: (Numbered & { untilMs: number }) | null = null

  constructor(parts: CoversParts) {
    this.#parts = parts
    const { clock, publish, log } = parts
    this.#covers = new Map(
      parts.settings.map((settings) => {
        const keep = (kept: KeptCover | null) => this.#keep(settings.name, kept)
        return [settings.name, new Cover({ settings, clock, publish, log, keep })]
      }),
    )
  }

  get subscriptions(): string[] {
    return [...this.#covers.values()].flatMap(({ subscriptions }) => subscriptions)
  }

  /** Undefined where there are none. */
  get report(): CoverReport[] | undefined {
    return this.#covers.size === 0 ? undefined : [...this.#covers.values()].map(({ report }) => report)
  }

  start(): void {
    for (const [name, kept] of this.#parts.store.get<[string, KeptCover][] | null>(KEY) ?? []) {
      this.#kept.set(name, kept)
      this.#covers.get(name)?.start(kept, this.#parts.isClockOk())
    }
  }

  /** An older command, or one of before a restore, changes nothing; nor does one that says nothing of covers. */
  command({ epoch, seq, valid_s, covers }: SourceCommand): void {
    const nowMs = this.#parts.clock.monotonicMs()
    if (covers === undefined || (this.#last && nowMs < this.#last.untilMs && isOlder({ epoch, seq }, this.#last)))
      return
    this.#last = { epoch, seq, untilMs: nowMs + valid_s * 1000 }
    for (const [name, cover] of this.#covers)
      cover.order(
        covers.find((each) => each.name === name),
        nowMs,
      )
  }

  receive(topic: string, payload: Uint8Array): void {
    for (const cover of this.#covers.values()) cover.receive(topic, payload, this.#parts.clock.monotonicMs())
  }

  step(): void {
    for (const cover of this.#covers.values()) cover.step(this.#parts.clock.monotonicMs())
  }

  #keep(name: string, kept: KeptCover | null): void {
    if (kept) this.#kept.set(name, kept)
    else this.#kept.delete(name)
    this.#parts.store.put(KEY, [...this.#kept])
  }
}

const isOlder = (a: Numbered, b: Numbered): boolean => a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq)
