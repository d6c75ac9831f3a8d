import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, HypocaustClient } from '../../client/src/client.ts'
import { SURROUNDINGS, type Surroundings } from '../../client/src/retry.ts'
import type { AppParts } from '../../service/src/roles/api.ts'
import { openWorld, type World } from './world.ts'

/** The real service on a real port. */
export async function listeningWorld(overrides: Partial<AppParts> = {}): Promise<World & { url: string }> {
  const world = await openWorld('sqlite', overrides)
  const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  return Object.assign(world, { url })
}

/** Waits take no time; they are noted. */
class StillTime implements Surroundings {
  readonly waitsMs: number[] = []
  onSleep: (ms: number) => void = () => {}

  now(): number {
    return Date.parse('2026-01-10T08:15:03.000Z')
  }

  random(): number {
    return 1
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.waitsMs.push(ms)
    this.onSleep(ms)
    signal?.throwIfAborted()
  }
}

export interface Observed {
  client: HypocaustClient
  time: StillTime
  /** `GET /v1/key 200`, one an answer. */
  exchanges: string[]
}

/** A client whose requests go out for real and are noted on the way. */
export function observedClient(options: ClientOptions): Observed {
  const exchanges: string[] = []
  const time = new StillTime()
  const noting: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    exchanges.push(`${init?.method} ${new URL(String(input)).pathname} ${answer.status}`)
    return answer
  }
  return { client: new HypocaustClient({ fetch: noting, ...options, ...{ [SURROUNDINGS]: time } }), time, exchanges }
}

export interface ScriptedServer {
  url: string
  requests: string[]
  close(): Promise<void>
}

export type Turn = (request: IncomingMessage, response: ServerResponse) => void

/** A real HTTP server that has a bad day: one turn a request, the last one for ever. */
export async function serverThat(...turns: Turn[]): Promise<ScriptedServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const turn = turns[Math.min(requests.length, turns.length - 1)]
    requests.push(`${request.method} ${request.url}`)
    turn?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Turn =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

export const hangingUp: Turn = (request) => request.socket.destroy()

export const neverAnswering: Turn = () => {}
