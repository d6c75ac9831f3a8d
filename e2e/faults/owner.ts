import { setTimeout as sleep } from 'node:timers/promises'
import { Gaps } from './gaps.ts'

const PAUSE_MS = 150
const LIMIT_MS = 5000

type Outcome = { kind: 'done'; body: unknown } | { kind: 'refused' } | { kind: 'late' }

/** Renames its room to ever higher numbers, and looks whether the last one acknowledged is there. */
export class Owner {
  readonly #url: string
  readonly #keys: { readKey: string; writeKey: string }
  readonly #cause: () => string
  readonly gaps = new Gaps()
  readonly complaints: string[] = []
  acknowledged = 0
  confirmed = 0
  lost = 0
  #written = 0
  #next = 0
  /** Writes that had no answer in time: the service may carry them out after later ones. */
  readonly #late = new Set<number>()
  #state: 'running' | 'pausing' | 'paused' | 'stopping' = 'running'
  #loop: Promise<void> | undefined

  constructor(url: string, keys: { readKey: string; writeKey: string }, cause: () => string) {
    this.#url = url
    this.#keys = keys
    this.#cause = cause
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Resolves when nothing is under way. */
  async pause(): Promise<void> {
    this.#state = 'pausing'
    while (this.#state === 'pausing') await sleep(10)
  }

  resume(): void {
    this.gaps.restart()
    this.#state = 'running'
  }

  /** Looks a last time before it ends. */
  async stop(): Promise<void> {
    const { confirmed } = this
    while (this.confirmed === confirmed) await sleep(10)
    this.#state = 'stopping'
    await this.#loop
  }

  async #run(): Promise<void> {
    while (this.#state !== 'stopping') {
      if (this.#state === 'pausing') this.#state = 'paused'
      if (this.#state === 'running') {
        await this.#write()
        await this.#look()
      }
      await sleep(PAUSE_MS)
    }
  }

  async #write(): Promise<void> {
    const number = ++this.#next
    const { kind } = await this.#ask('PATCH', this.#keys.writeKey, { name: String(number) })
    if (kind === 'late') this.#late.add(number)
    if (kind !== 'done') return
    this.#written = number
    this.acknowledged++
  }

  /** A write that was refused may have happened all the same; one that was acknowledged must have. */
  async #look(): Promise<void> {
    const outcome = await this.#ask('GET', this.#keys.readKey)
    if (outcome.kind !== 'done') return
    const found = Number((outcome.body as { name: string }).name)
    const isExpected = found >= this.#written && found <= this.#next
    if (!isExpected && !this.#late.has(found)) {
      this.lost++
      this.complaints.push(`${this.#url}: ${this.#written} was acknowledged, ${found} is there (${this.#cause()})`)
    }
    this.confirmed++
    this.gaps.success(this.#cause())
  }

  /** Refused: in the agreed form, or no connection at all. */
  async #ask(method: string, key: string, body?: object): Promise<Outcome> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(LIMIT_MS)
    try {
      const answer = await fetch(this.#url, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      if (answer.status === 200) return { kind: 'done', body: JSON.parse(text) }
      if (answer.status !== 503 || !/^\{"error":\{"code":"unavailable"/.test(text))
        this.complaints.push(`${method} ${answer.status} ${text.slice(0, 200)} (${this.#cause()})`)
      return { kind: 'refused' }
    } catch (error) {
      return { kind: (error as Error).name === 'TimeoutError' ? 'late' : 'refused' }
    }
  }
}
