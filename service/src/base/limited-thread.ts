import type { Worker } from 'node:worker_threads'

/** Loading the thread takes longer than most files; the next one, often the same corrected, finds it ready. */
const KEPT_MS = 30_000

export const THREAD_MEMORY = { maxOldGenerationSizeMb: 128 }

export type Read<Output> = { ok: true; output: Output } | { ok: false; message: string }

/** Reads files of strangers beside the main thread, one at a time, and gives one up when it takes too long. */
export class LimitedThread<Input, Output> {
  readonly #make: () => Worker
  #before: Promise<unknown> = Promise.resolve()
  #kept: { worker: Worker; end: NodeJS.Timeout } | undefined

  /** The thread posts `begun` when it has loaded, and then the output. */
  constructor(make: () => Worker) {
    this.#make = make
  }

  read(input: Input, mostMs: number): Promise<Read<Output>> {
    const mine = this.#before.then(() => this.#readNow(input, mostMs))
    this.#before = mine.catch(() => undefined)
    return mine
  }

  async #readNow(input: Input, mostMs: number): Promise<Read<Output>> {
    const worker = this.#take()
    const { promise, resolve } = Promise.withResolvers<Read<Output>>()
    const giveUp = (message: string) => resolve({ ok: false, message })
    let timer: NodeJS.Timeout | undefined
    const onMessage = (message: 'begun' | Output) => {
      if (message !== 'begun') resolve({ ok: true, output: message })
      else timer = setTimeout(() => giveUp(`takes longer than ${mostMs / 1000} s to read`), mostMs)
    }
    const onError = (error: unknown) => giveUp(`cannot be read: ${(error as Error).message}`)
    worker.on('message', onMessage).on('error', onError)
    worker.postMessage(input)
    const read = await promise
    clearTimeout(timer)
    worker.off('message', onMessage).off('error', onError)
    if (read.ok) this.#keep(worker)
    else await worker.terminate()
    return read
  }

  #take(): Worker {
    if (this.#kept) {
      const { worker, end } = this.#kept
      this.#kept = undefined
      clearTimeout(end)
      worker.ref()
      return worker
    }
    // What goes wrong while it is being ended concerns no file.
    return this.#make().on('error', () => {})
  }

  /** It does not keep the process from ending. */
  #keep(worker: Worker): void {
    worker.unref()
    const end = setTimeout(() => {
      this.#kept = undefined
      void worker.terminate()
    }, KEPT_MS)
    this.#kept = { worker, end: end.unref() }
  }
}
