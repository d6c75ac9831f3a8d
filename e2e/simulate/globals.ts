// Time, chance, threads and files of this process, as the simulation gives them. Imported before anything else.
import crypto from 'node:crypto'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import threads from 'node:worker_threads'
import type { Random } from '@hypocaust/simulator'
import { type Disk, watchDatabases } from './disk.ts'
import type { Scheduler } from './scheduler.ts'

/** What runs now. One simulation at a time. */
export interface Surroundings {
  scheduler: Scheduler
  random: Random
  disk: Disk
  startMs: number
}

const RealDate = Date
const realImmediate = setImmediate
const realNowMs = performance.now.bind(performance)

let now: Surroundings | undefined

export function surround(surroundings: Surroundings | undefined): void {
  now = surroundings
}

const surroundings = (): Surroundings => {
  if (!now) throw new Error('no simulation runs')
  return now
}

/** Until nothing is left to be done at this moment: a turn of the real event loop begins when all promises are settled. */
export const drain = (): Promise<void> => new Promise((resolve) => realImmediate(resolve))

const wallMs = () => (now ? now.startMs + now.scheduler.nowMs : RealDate.now())

class SimulatedTimer {
  readonly #everyMs: number | undefined
  readonly #work: () => void
  #entry: { isCancelled: boolean }

  constructor(ms: number, work: () => void, isRepeated = false) {
    this.#everyMs = isRepeated ? Math.max(1, ms) : undefined
    this.#work = work
    this.#entry = surroundings().scheduler.timer(ms, () => this.#fire())
  }

  #fire(): void {
    if (this.#everyMs !== undefined) this.#entry = surroundings().scheduler.timer(this.#everyMs, () => this.#fire())
    this.#work()
  }

  cancel(): void {
    this.#entry.isCancelled = true
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return false
  }

  [Symbol.dispose](): void {
    this.cancel()
  }
}

type Work = (...given: unknown[]) => void
const cancel = (timer: unknown) => {
  if (timer instanceof SimulatedTimer) timer.cancel()
}

const sleep = <T>(ms = 0, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = new SimulatedTimer(ms, () => resolve(value as T))
    signal?.addEventListener('abort', () => {
      timer.cancel()
      reject(new DOMException('The operation was aborted', 'AbortError'))
    })
  })

const bytes = (count: number): Buffer => {
  const { random } = surroundings()
  return Buffer.from(Array.from({ length: count }, () => Math.floor(random.uniform() * 256)))
}

function uuid(version: 4 | 7): string {
  const made = bytes(16)
  if (version === 7) made.writeUIntBE(wallMs(), 0, 6)
  made[6] = ((made[6] as number) & 0x0f) | (version << 4)
  made[8] = ((made[8] as number) & 0x3f) | 0x80
  return made.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A thread of the product: the writer's work is done here, and the others do not answer. */
class SimulatedWorker extends EventEmitter {
  readonly #writer: { receive(message: unknown): void } | undefined

  constructor(url: URL | string, { workerData }: { workerData?: { file: string } } = {}) {
    super()
    if (String(url).endsWith('/writer-thread.ts') && workerData)
      this.#writer = surroundings().disk.writer(workerData.file, this)
  }

  postMessage(message: unknown): void {
    if (this.#writer) this.#writer.receive(message)
    else surroundings().scheduler.in(1, () => this.emit('error', new Error('there are no threads in the simulation')))
  }

  async terminate(): Promise<number> {
    return 0
  }

  ref(): void {}

  unref(): void {}
}

export function replaceGlobals(): void {
  const define = (on: object, values: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(on, name, { value, writable: true, configurable: true })
  }
  class SimulatedDate extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [wallMs()] : given) as [number]))
    }

    static override now(): number {
      return wallMs()
    }
  }
  define(globalThis, {
    Date: SimulatedDate,
    setTimeout: (work: Work, ms = 0, ...given: unknown[]) => new SimulatedTimer(ms, () => work(...given)),
    setInterval: (work: Work, ms = 0, ...given: unknown[]) => new SimulatedTimer(ms, () => work(...given), true),
    setImmediate: (work: Work, ...given: unknown[]) => new SimulatedTimer(0, () => work(...given)),
    clearTimeout: cancel,
    clearInterval: cancel,
    clearImmediate: cancel,
  })
  define(performance, { now: () => (now ? now.scheduler.nowMs : realNowMs()) })
  define(Math, { random: () => surroundings().random.uniform() })
  define(AbortSignal, {
    timeout(ms: number) {
      const ending = new AbortController()
      new SimulatedTimer(ms, () => ending.abort(new DOMException('The operation timed out', 'TimeoutError')))
      return ending.signal
    },
  })
  define(globalThis.crypto, { randomUUID: () => uuid(4) })
  define(crypto, {
    randomUUID: () => uuid(4),
    randomUUIDv7: () => uuid(7),
    randomBytes: bytes,
    randomInt: (low: number, high?: number) => {
      const [from, to] = high === undefined ? [0, low] : [low, high]
      return from + Math.floor(surroundings().random.uniform() * (to - from))
    },
  })
  define(timersPromises, { setTimeout: sleep, setImmediate: (value: unknown) => sleep(0, value) })
  define(threads, { Worker: SimulatedWorker })
  syncBuiltinESMExports()
  watchDatabases(() => now?.disk)
}
