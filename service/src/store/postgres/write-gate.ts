import { StoreError } from '../store.ts'
import type { ServerWatch } from './server-watch.ts'

/** As long as for a connection of the pool. */
const WAIT_LIMIT_MS = 5000

export const HANGING = 'commits wait for a standby that does not answer'
const hanging = () => new StoreError('unavailable', HANGING)

/** Lets so many writes in at a time that reads always find a connection, and none while commits hang. */
export class WriteGate {
  readonly #watch: ServerWatch
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(watch: ServerWatch, most: number) {
    this.#watch = watch
    this.#most = most
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Who has been let in when commits begin to hang is refused too: it may or may not be done. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#watch.areCommitsHanging) throw hanging()
    return await new Promise<T>((resolve, reject) => {
      const refuse = () => reject(hanging())
      this.#watch.changes.once('hang', refuse)
      this.#passed(work)
        .then(resolve, reject)
        .finally(() => this.#watch.changes.off('hang', refuse))
    })
  }

  async #passed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#most) await this.#turn()
    this.#inside++
    try {
      if (this.#watch.areCommitsHanging) throw hanging()
      return await work()
    } finally {
      this.#inside--
      this.#waiting.shift()?.()
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(new StoreError('unavailable', 'timeout: other writes take too long'))
      }, WAIT_LIMIT_MS)
      this.#waiting.push(enter)
    })
  }
}
