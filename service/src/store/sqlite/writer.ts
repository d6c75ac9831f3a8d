import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Beats } from '../../base/beats.ts'
import { threadEnv } from '../../base/thread-env.ts'
import { StoreError } from '../store.ts'
import type { Statement, StatementResult } from './connection.ts'
import type { Answer, Job, Message, StatementBatch } from './messages.ts'

interface Waiting {
  resolve(results: StatementResult[]): void
  reject(error: Error): void
}

const ENDED = 'the writer has ended'

/** Without all that Kysely adds and a thread cannot be sent. */
const plain = ({ sql, parameters }: Statement): Statement => ({ sql, parameters })

/** This thread's end of the writer, which starts with the first job. A promise resolves when its job is on disk. */
export class Writer {
  readonly #file: string
  #worker: Worker | undefined
  readonly #waiting = new Map<number, Waiting>()
  /** Jobs of this turn of the event loop: one message for all of them. */
  #jobs: Job[] = []
  #lastId = 0
  #stopped: Error | null = null

  constructor(file: string) {
    this.#file = file
  }

  /** Each batch is one job; jobs submitted in one turn of the event loop share one transaction. */
  submit(batches: StatementBatch[]): Promise<StatementResult[]>[] {
    const stopped = this.#stopped
    if (stopped) return batches.map(() => Promise.reject(new StoreError('unavailable', stopped.message)))
    const jobs = batches.map(
      ({ statements, limits }): Job => ({
        id: ++this.#lastId,
        statements: statements.map(plain),
        limits: limits.map((limit) => ({ ...limit, count: plain(limit.count) })),
      }),
    )
    const results = jobs.map(
      ({ id }) =>
        new Promise<StatementResult[]>((resolve, reject) => {
          this.#waiting.set(id, { resolve, reject })
        }),
    )
    if (this.#jobs.length === 0) setImmediate(() => this.#post())
    this.#jobs.push(...jobs)
    return results
  }

  /** Its thread mostly waits: it also sees whether this one's event loop turns, as long as the writer is open. */
  watch(beats: Beats): void {
    this.#send({ watch: beats })
  }

  async close(): Promise<void> {
    if (this.#stopped) return
    this.#post()
    if (!this.#worker) return this.#failAll(new Error(ENDED))
    const ended = once(this.#worker, 'exit')
    this.#send('close')
    await ended
  }

  #post(): void {
    if (this.#jobs.length === 0) return
    this.#send(this.#jobs)
    this.#jobs = []
  }

  #send(message: Message): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(message)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData: { file: this.#file },
      env: threadEnv(),
    })
    worker.on('message', (answers: Answer[]) => {
      for (const answer of answers) this.#settle(answer)
    })
    worker.on('error', (error) => this.#failAll(error as Error))
    worker.on('exit', () => this.#failAll(new Error(ENDED)))
    return worker
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('results' in answer) waiting?.resolve(answer.results)
    else waiting?.reject(new StoreError(answer.error.kind, answer.error.message))
  }

  #failAll(error: Error): void {
    this.#stopped ??= error
    for (const waiting of this.#waiting.values()) waiting.reject(new StoreError('unavailable', error.message))
    this.#waiting.clear()
  }
}
