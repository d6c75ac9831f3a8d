import type { Running } from './command.ts'

/** A service that may be killed, and comes back at the same address. */
export class Killable {
  readonly #start: () => Promise<Running>
  #running: Running | undefined

  constructor(start: () => Promise<Running>) {
    this.#start = start
  }

  get url(): string {
    return this.#running?.url ?? ''
  }

  async serve(): Promise<void> {
    this.#running = await this.#start()
  }

  async kill(): Promise<void> {
    await this.#running?.end('SIGKILL')
  }
}
