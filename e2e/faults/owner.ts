import { setTimeout as sleep } from 'node:timers/promises'
import { Gaps } from './gaps.ts'

const PAUSE_MS = 150
const LIMIT_MS = 5000

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
    if ((await this.#ask('PATCH', this.#keys.writeKey, { name: String(number) })) === undefined) return
    this.#written = number
    this.acknowledged++
  }

  /** A write that was refused may have happened all the same; one that was acknowledged must have. */
  async #look(): Promise<void> {
    const room = await this.#ask('GET', this.#keys.readKey)
    if (room === undefined) return
    const found = Number((room as { name: string }).name)
    if (found < this.#written || found > this.#next) {
      this.lost++
      this.complaints.push(`${this.#url}: ${this.#written} was acknowledged, ${found} is there (${this.#cause()})`)
    }
    this.confirmed++
    this.gaps.success(this.#cause())
  }

  /** Undefined when there was no success: refused in the agreed form, or no connection at all. */
  async #ask(method: string, key: string, body?: object): Promise<unknown> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(LIMIT_MS)
    try {
      const answer = await fetch(this.#url, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      if (answer.status === 200) return JSON.parse(text)
      if (answer.status !== 503 || !/^\{"error":\{"code":"unavailable"/.test(text))
        this.complaints.push(`${method} ${answer.status} ${text.slice(0, 200)} (${this.#cause()})`)
      return undefined
    } catch {
      return undefined
    }
  }
}
