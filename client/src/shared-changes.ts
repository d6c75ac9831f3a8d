import type { Changes } from './generated/types.ts'

type Ask = (since: string | undefined, signal: AbortSignal) => Promise<Changes>

interface Wait {
  answer: Promise<Changes>
  stop: AbortController
  waiting: number
}

/** All who wait from one cursor share one request, so a client that watches many buildings waits once. */
export class SharedChanges {
  readonly #ask: Ask
  readonly #waits = new Map<string | undefined, Wait>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Rejects with the signal's reason when it is aborted; the request ends with the last who waits for it. */
  async after(since: string | undefined, signal?: AbortSignal): Promise<Changes> {
    signal?.throwIfAborted()
    const wait = this.#waits.get(since) ?? this.#begin(since)
    wait.waiting++
    try {
      return await orAborted(wait.answer, signal)
    } finally {
      wait.waiting--
      if (wait.waiting === 0) this.#end(since, wait)
    }
  }

  #begin(since: string | undefined): Wait {
    const stop = new AbortController()
    const wait = { answer: this.#ask(since, stop.signal), stop, waiting: 0 }
    this.#waits.set(since, wait)
    // A watch that begins after the answer must ask again.
    const forget = () => this.#forget(since, wait)
    wait.answer.then(forget, forget)
    return wait
  }

  #end(since: string | undefined, wait: Wait): void {
    this.#forget(since, wait)
    wait.stop.abort()
  }

  #forget(since: string | undefined, wait: Wait): void {
    if (this.#waits.get(since) === wait) this.#waits.delete(since)
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
