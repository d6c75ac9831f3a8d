import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** `lost`: nothing arrives any more, and neither end notices, as when a cable is pulled. */
export type Line = 'good' | 'lost' | 'slow' | 'refused'

const SLOW_BYTES = 20
const SLOW_PAUSE_MS = 5

/** A cable between two processes, which can be spoiled. */
export class FaultyLine {
  readonly #server: Server
  readonly #pairs = new Set<[Socket, Socket]>()
  #line: Line = 'good'
  #port = 0

  constructor(targetPort: number) {
    this.#server = createServer((near) => this.#join(near, targetPort))
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  get port(): number {
    return this.#port
  }

  set(line: Line): void {
    this.#line = line
    if (line === 'refused') this.cut()
    if (line === 'good') for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  /** Both ends notice at once. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
  }

  /** The far ends are gone, and the near ones do not learn of it. */
  halfOpen(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe()
      far.removeAllListeners('close').destroy()
    }
  }

  stop(): void {
    this.cut()
    this.#server.close()
  }

  #join(near: Socket, port: number): void {
    if (this.#line === 'refused') {
      near.destroy()
      return
    }
    const far = connect({ port, host: '127.0.0.1' })
    const pair: [Socket, Socket] = [near, far]
    this.#pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        this.#pairs.delete(pair)
      })
      from.on('data', (bytes: Buffer) => void this.#pass(from, to, bytes))
    }
  }

  async #pass(from: Socket, to: Socket, bytes: Buffer): Promise<void> {
    from.pause()
    for (let at = 0; at < bytes.length; ) {
      // What was under way when the line was lost arrives when it is good again, as TCP has it.
      while (this.#line === 'lost' && !to.destroyed) await sleep(20)
      const isSlow = this.#line === 'slow'
      const part = isSlow ? bytes.subarray(at, at + SLOW_BYTES) : bytes.subarray(at)
      at += part.length
      if (to.destroyed) return
      to.write(part)
      if (isSlow) await sleep(SLOW_PAUSE_MS)
    }
    from.resume()
  }
}
