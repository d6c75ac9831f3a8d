import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

/** Loading a thread takes a while, and the next task often comes soon. */
const KEPT_MS = 60_000

/**
 * Tasks that take seconds, on a thread of their own, one at a time. A task that fails or is given up ends its thread, and
 * the next one is given another: a thread that has ended never answers.
 */
export class TaskThread<Task, Result> {
  readonly #make: () => Worker
  #worker: Worker | undefined
  #end: NodeJS.Timeout | undefined

  /** The thread posts one result for each task. */
  constructor(make: () => Worker) {
    this.#make = make
  }

  async run(task: Task, givenUp: AbortSignal): Promise<Result> {
    givenUp.throwIfAborted()
    clearTimeout(this.#end)
    this.#worker ??= this.#start()
    const worker = this.#worker
    worker.ref()
    worker.postMessage(task)
    try {
      const [result] = await once(worker, 'message', { signal: givenUp })
      this.#keep(worker)
      return result
    } catch (error) {
      this.#worker = undefined
      await worker.terminate()
      throw error
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#end)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = this.#make()
    // What goes wrong while nothing waits for it concerns no task: unheard, it would end the process.
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  /** It does not keep the process from ending. */
  #keep(worker: Worker): void {
    worker.unref()
    this.#end = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
    }, KEPT_MS).unref()
  }
}
