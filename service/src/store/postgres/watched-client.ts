import { Socket } from 'node:net'
import type pg from 'pg'

/** A connection of the pool that knows whether it awaits an answer, and can be cut. */
export interface WatchedClient extends pg.PoolClient {
  readonly isAwaitingAnswer: boolean
  /** `end` waits for the answers to all statements that were sent, which a silent server never gives. */
  cut(): void
}

export function watched(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    readonly #socket: Socket
    #isAwaitingAnswer = false

    constructor(config: pg.ClientConfig) {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      this.#socket = socket
      this.on('drain', () => {
        this.#isAwaitingAnswer = false
      })
    }

    get isAwaitingAnswer(): boolean {
      return this.#isAwaitingAnswer
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg takes a query in nine forms
    override query(...query: any[]): any {
      this.#isAwaitingAnswer = true
      return Reflect.apply(super.query, this, query)
    }

    cut(): void {
      this.#socket.destroy()
    }
  }
}
