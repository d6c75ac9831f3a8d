import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** Stands in for a provider on the internet: answers as the test says, and keeps what it was asked. */
export class ProviderServer {
  readonly requests: IncomingMessage[] = []
  answer: Answer = (response) => response.writeHead(404).end()
  readonly #server = createServer((request, response) => {
    this.requests.push(request)
    this.answer(response, request)
  })

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve))
  }

  startOver(answer: Answer): void {
    this.requests.length = 0
    this.answer = answer
  }
}
