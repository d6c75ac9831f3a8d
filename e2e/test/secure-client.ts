import { Agent, request } from 'node:https'
import { CERTIFICATE } from './installation.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** A program that asks through the proxy, over TLS and kept connections. */
export class SecureClient {
  readonly #url: string
  // Each connection in its turn: one left idle would be closed by the proxy, perhaps just as it is used again.
  readonly #agent = new Agent({ keepAlive: true, scheduling: 'fifo', ca: CERTIFICATE })

  constructor(url: string) {
    this.#url = url
  }

  ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: object,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const content = body === undefined ? {} : { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { ...headers, ...content }, signal }
      const sent = request(new URL(path, this.#url), options, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('error', reject)
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      })
      sent.on('error', reject)
      sent.end(body && JSON.stringify(body))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
