import type pg from 'pg'
import { columnsIn, errorIn, executing, Messages, preparing, RECEIVED } from './look-up-messages.ts'
import { type RowReader, rowReader, Values } from './look-up-rows.ts'
import type { Column, Sent } from './statement-run.ts'

interface Prepared {
  name: string
  /** From the moment the server has described its rows. */
  readRow: RowReader | undefined
}

interface UnderWay {
  sql: string
  prepared: Prepared
  startedMs: number
  rows: unknown[]
  error: Error | undefined
  resolve(rows: unknown[]): void
  reject(error: Error): void
}

/**
 * A connection taken from the pool, on which small statements are sent without waiting for the answers to those before.
 * `pg` opens and ends it; in between its queue, events and messages are left out.
 */
export class LookUpConnection {
  readonly #client: pg.PoolClient
  readonly #answerLimitMs: number
  readonly #onEnd: () => void
  /** By their texts, once they are described: until then each use prepares its own, as the first may fail. */
  readonly #prepared = new Map<string, Prepared>()
  readonly #values = new Values()
  #named = 0
  #underWay: UnderWay[] = []
  #sentMs = performance.now()
  #state: 'open' | 'ending' | 'ended' = 'open'
  #watch: NodeJS.Timeout | undefined

  /** `onEnd` is called once it takes no more statements. */
  constructor(client: pg.PoolClient, answerLimitMs: number, onEnd: () => void) {
    this.#client = client
    this.#answerLimitMs = answerLimitMs
    this.#onEnd = onEnd
    const messages = new Messages((type, bytes, start, end) => this.#take(type, bytes, start, end))
    const { stream } = client.connection
    stream.removeAllListeners('data').on('data', (chunk: Buffer) => messages.add(chunk))
    client.once('end', () => this.#fail(new Error('Connection terminated unexpectedly')))
  }

  /** How long the oldest statement has been under way; 0 where there is none. */
  get waitingMs(): number {
    const [oldest] = this.#underWay
    return oldest ? performance.now() - oldest.startedMs : 0
  }

  /** How long nothing has been sent and no answer is awaited. */
  get idleMs(): number {
    return this.#underWay.length > 0 ? 0 : performance.now() - this.#sentMs
  }

  run<Row>({ sql, parameters }: Sent): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const prepared = this.#prepared.get(sql) ?? this.#prepare(sql)
      this.#client.connection.stream.write(executing(prepared.name, parameters))
      const startedMs = performance.now()
      this.#sentMs = startedMs
      this.#underWay.push({ sql, prepared, startedMs, rows: [], error: undefined, resolve, reject } as UnderWay)
      this.#watchAnswers()
    })
  }

  /** After the answers to what is under way. */
  end(): void {
    if (this.#state !== 'open') return
    this.#state = 'ending'
    this.#onEnd()
    this.#endIfDone()
  }

  #prepare(sql: string): Prepared {
    const prepared = { name: `look-up-${++this.#named}`, readRow: undefined }
    this.#client.connection.stream.write(preparing(prepared.name, sql))
    return prepared
  }

  #take(type: number, bytes: Buffer, start: number, end: number): void {
    const [current] = this.#underWay
    if (!current) return
    const { prepared } = current
    if (type === RECEIVED.dataRow) current.rows.push(prepared.readRow?.(this.#values.of(bytes, start)))
    else if (type === RECEIVED.rowDescription) this.#describe(current, columnsIn(bytes, start))
    else if (type === RECEIVED.errorResponse) current.error = errorIn(bytes, start, end)
    else if (type === RECEIVED.readyForQuery) this.#complete(current)
  }

  #describe({ sql, prepared }: UnderWay, columns: Column[]): void {
    prepared.readRow = rowReader(columns)
    this.#prepared.set(sql, prepared)
  }

  #complete({ rows, error, resolve, reject }: UnderWay): void {
    this.#underWay.shift()
    if (error) reject(error)
    else resolve(rows)
    this.#endIfDone()
  }

  #endIfDone(): void {
    if (this.#state !== 'ending' || this.#underWay.length > 0) return
    this.#state = 'ended'
    clearTimeout(this.#watch)
    this.#client.release(true)
  }

  /** One timer for all: most answers come long before it. */
  #watchAnswers(inMs = this.#answerLimitMs): void {
    if (this.#answerLimitMs === 0) return
    this.#watch ??= setTimeout(() => {
      this.#watch = undefined
      const leftMs = this.#answerLimitMs - this.waitingMs
      if (leftMs <= 0) this.#fail(new Error('Query read timeout'))
      else if (this.#underWay.length > 0) this.#watchAnswers(leftMs)
    }, inMs).unref()
  }

  #fail(error: Error): void {
    if (this.#state === 'ended') return
    if (this.#state === 'open') this.#onEnd()
    this.#state = 'ended'
    clearTimeout(this.#watch)
    const failed = this.#underWay
    this.#underWay = []
    for (const each of failed) each.reject(each.error ?? error)
    this.#client.connection.stream.destroy()
    this.#client.release(error)
  }
}
