import { randomBytes } from 'node:crypto'
import type { ContactReading, GatewayReading } from '@hypocaust/domain'
import type { Store } from '../base/store.ts'

/** A message keeps its (boot, n) for ever, over restarts too: by it the service knows what it already has. */
export interface Message {
  boot: string
  n: number
  heardMonoMs: number
  heardWallMs: number
  clockOk: boolean
  readings: (GatewayReading | ContactReading)[]
}

const DELETE_TOGETHER = 64
const MOST_BOOTS = 100

/** A start of the machine, and the boots of the agent since then. */
interface SameStart {
  machineBoot: string
  boots: readonly string[]
}

/** Readings on disk until the service says that its database has them. */
export class ReadingBuffer {
  readonly #store: Store
  readonly #limitBytes: number
  /** Committed, but not deleted yet: deletions share the next write. Losing them only repeats a message. */
  readonly #committed = new Map<string, { boot: string; n: number }>()
  boot = ''
  /** Boots of the agent since the machine has started: monotonic time counts on for all of them. */
  #sameStart: readonly string[] = []
  readings = 0
  messages = 0
  #bytes = 0
  #n = 0

  constructor(store: Store, limitBytes: number) {
    this.#store = store
    this.#limitBytes = limitBytes
  }

  /** A new boot sorts behind all earlier ones; its random end tells it from those of a card that was wiped. */
  start(machineBoot = ''): void {
    const count = (this.#store.get<number>('boots') ?? 0) + 1
    this.#store.put('boots', count)
    this.boot = `${count.toString(16).padStart(6, '0')}-${randomBytes(4).toString('hex')}`
    const kept = this.#store.get<SameStart | null>('same_start')
    const before = machineBoot !== '' && kept?.machineBoot === machineBoot ? kept.boots : []
    this.#sameStart = [...before, this.boot].slice(-MOST_BOOTS)
    this.#store.put('same_start', { machineBoot, boots: this.#sameStart } satisfies SameStart)
    const row = this.#store.run((db) =>
      db.prepare('SELECT count(*) AS m, sum(count) AS r, sum(length(readings)) AS b FROM message').get(),
    )
    this.messages = Number(row?.m ?? 0)
    this.readings = Number(row?.r ?? 0)
    this.#bytes = Number(row?.b ?? 0)
  }

  /** Whether the machine has run without a restart since the message was heard. */
  isOfSameStart({ boot }: Pick<Message, 'boot'>): boolean {
    return this.#sameStart.includes(boot)
  }

  /** On disk when this returns. Tells how many of the oldest readings had to go. */
  append(readings: (GatewayReading | ContactReading)[], heard: { monoMs: number; wallMs: number; clockOk: boolean }) {
    const message: Message = {
      boot: this.boot,
      n: ++this.#n,
      heardMonoMs: heard.monoMs,
      heardWallMs: heard.wallMs,
      clockOk: heard.clockOk,
      readings,
    }
    const text = JSON.stringify(readings)
    this.#transaction((db) => {
      db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?)').run(
        message.boot,
        message.n,
        heard.monoMs,
        heard.wallMs,
        heard.clockOk ? 1 : 0,
        readings.length,
        text,
      )
    })
    this.messages += 1
    this.readings += readings.length
    this.#bytes += text.length
    return { message, dropped: this.#dropBeyondLimit() }
  }

  commit({ boot, n }: { boot: string; n: number }): void {
    this.#committed.set(keyOf({ boot, n }), { boot, n })
    if (this.#committed.size >= DELETE_TOGETHER) this.flush()
  }

  /** The oldest that are neither committed nor among those excepted, in the order they were heard. */
  oldest(limit: number, except: ReadonlyMap<string, unknown>): Message[] {
    const most = limit + except.size + this.#committed.size
    const rows = this.#store.run((db) => db.prepare('SELECT * FROM message ORDER BY boot, n LIMIT ?').all(most))
    return rows
      .flatMap((row) => this.#messageOf(row) ?? [])
      .filter((message) => !except.has(keyOf(message)))
      .slice(0, limit)
  }

  /** One that the disk has damaged goes with those that are committed: nobody can read it any more. */
  #messageOf(row: Record<string, unknown>): Message | undefined {
    const [boot, n] = [String(row.boot), Number(row.n)]
    if (this.#committed.has(keyOf({ boot, n }))) return undefined
    const readings = this.#store.parsed<Message['readings']>(row.readings, `message ${keyOf({ boot, n })}`)
    if (!readings) {
      this.commit({ boot, n })
      return undefined
    }
    const [heardMonoMs, heardWallMs] = [Number(row.heard_mono_ms), Number(row.heard_wall_ms)]
    return { boot, n, heardMonoMs, heardWallMs, clockOk: row.clock_ok === 1, readings }
  }

  /** Deletes what was committed. */
  flush(): void {
    if (this.#committed.size > 0) this.#transaction(() => {})
  }

  #transaction(work: Parameters<Store['run']>[0]): void {
    const gone = this.#store.run((db) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        work(db)
        const remove = db.prepare(
          'DELETE FROM message WHERE boot = ? AND n = ? RETURNING count, length(readings) AS bytes',
        )
        const rows = [...this.#committed.values()].map(({ boot, n }) => remove.get(boot, n))
        db.exec('COMMIT')
        return rows
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    })
    this.#committed.clear()
    for (const row of gone) if (row) this.#forget(Number(row.count), Number(row.bytes))
  }

  #dropBeyondLimit(): number {
    let dropped = 0
    while (this.#bytes > this.#limitBytes && this.messages > 1) {
      const row = this.#store.run((db) =>
        db
          .prepare(
            `DELETE FROM message WHERE (boot, n) = (SELECT boot, n FROM message ORDER BY boot, n LIMIT 1)
             RETURNING count, length(readings) AS bytes`,
          )
          .get(),
      )
      if (!row) break
      dropped += Number(row.count)
      this.#forget(Number(row.count), Number(row.bytes))
    }
    return dropped
  }

  #forget(readings: number, bytes: number): void {
    this.messages -= 1
    this.readings -= readings
    this.#bytes -= bytes
  }
}

export const keyOf = ({ boot, n }: { boot: string; n: number }): string => `${boot}/${n}`
