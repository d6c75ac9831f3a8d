import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that publishes a calendar, in whichever way a test says. */
export class CalendarServer {
  /** The headers of each request, oldest first. */
  readonly asked: IncomingHttpHeaders[] = []
  answer: RequestListener = (_request, response) => response.end()
  readonly #server: Server = createServer((request, response) => {
    this.asked.push(request.headers)
    this.answer(request, response)
  })

  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}/private-4f1c/basic.ics`
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Answers with this text and this tag; with 304 where the tag is known. */
  publish(text: string, etag: string): void {
    this.answer = (request, response) => {
      const isKnown = request.headers['if-none-match'] === etag
      response.writeHead(isKnown ? 304 : 200, { etag, 'content-type': 'text/calendar' }).end(isKnown ? '' : text)
    }
  }
}
