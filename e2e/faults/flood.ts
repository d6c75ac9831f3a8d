import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'

const PACE_MS = 10
const CONNECTING_AT_ONCE = 32
const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g

interface Flooded {
  seconds: number
  sent: number
  /** Requests that were due but found every connection full. */
  heldBack: number
  byStatus: Map<string, number>
  /** Of the requests that were carried out. */
  acceptedMs: number[]
}

interface Connection {
  socket: TLSSocket
  unanswered: number
  sentMs: number
}

/** Many connections, each with one request under way, that together send at a pace of their own as far as they can. */
export class Flood {
  readonly #sockets: Connection[] = []
  readonly #connect: () => TLSSocket
  readonly #requests: string[]
  #byStatus = new Map<string, number>()
  #acceptedMs: number[] = []
  #next = 0

  constructor(connect: () => TLSSocket, requests: string[]) {
    this.#connect = connect
    this.#requests = requests
  }

  async run(connections: number, perSecond: number, seconds: number): Promise<Flooded> {
    await this.#connectAll(connections)
    this.#byStatus = new Map()
    this.#acceptedMs = []
    const startMs = performance.now()
    let sent = 0
    let heldBack = 0
    for (let due = 0; performance.now() - startMs < seconds * 1000; await sleep(PACE_MS)) {
      const wanted = Math.floor(((performance.now() - startMs) / 1000) * perSecond)
      for (; due < wanted && this.#send(); due++) sent++
      heldBack += wanted - due
      due = wanted
    }
    const lasted = (performance.now() - startMs) / 1000
    return { seconds: lasted, sent, heldBack, byStatus: this.#byStatus, acceptedMs: this.#acceptedMs }
  }

  /** As many requests as are answered, on connections that always wait for the last answer: what the service can carry. */
  async carried(connections: number, seconds: number): Promise<number> {
    await this.#connectAll(connections)
    this.#byStatus = new Map()
    const startMs = performance.now()
    for (; performance.now() - startMs < seconds * 1000; await sleep(1))
      for (const each of this.#sockets) if (each.unanswered === 0) this.#sendOn(each)
    return (this.#byStatus.get('200') ?? 0) / ((performance.now() - startMs) / 1000)
  }

  /** Some at a time: a handshake costs more than a request, and is not what is measured. */
  async #connectAll(connections: number): Promise<void> {
    while (this.#sockets.length < connections) {
      const some = Array.from({ length: CONNECTING_AT_ONCE }, () => this.#open())
      await Promise.all(some.map((socket) => once(socket, 'secureConnect')))
    }
  }

  close(): void {
    for (const { socket } of this.#sockets.splice(0)) socket.destroy()
  }

  #send(): boolean {
    for (let tried = 0; tried < this.#sockets.length; tried++) {
      const each = this.#sockets[this.#next++ % this.#sockets.length]
      if (!each || each.unanswered > 0) continue
      this.#sendOn(each)
      return true
    }
    return false
  }

  #sendOn(each: Connection): void {
    each.unanswered++
    each.sentMs = performance.now()
    each.socket.write(this.#requests[this.#next++ % this.#requests.length] ?? '')
  }

  #open(): TLSSocket {
    const each: Connection = { socket: this.#connect(), unanswered: 0, sentMs: 0 }
    let tail = ''
    each.socket.setEncoding('latin1').on('data', (text: string) => {
      const all = tail + text
      let read = 0
      for (const { 0: line, 1: status = '', index } of all.matchAll(STATUS_LINE)) {
        this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
        if (status === '200') this.#acceptedMs.push(performance.now() - each.sentMs)
        each.unanswered--
        read = index + line.length
      }
      // A status line may be cut in two.
      tail = all.slice(Math.max(read, all.length - 'HTTP/1.1 20'.length))
    })
    each.socket.on('error', () => {})
    each.socket.on('close', () => {
      const at = this.#sockets.indexOf(each)
      if (at < 0) return
      this.#byStatus.set('closed', (this.#byStatus.get('closed') ?? 0) + 1)
      this.#sockets.splice(at, 1)
      this.#open()
    })
    this.#sockets.push(each)
    return each.socket
  }
}
