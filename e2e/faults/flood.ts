import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const PACE_MS = 10
const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g

interface Flooded {
  seconds: number
  sent: number
  /** Requests that were due but found every connection full. */
  heldBack: number
  byStatus: Map<string, number>
}

/** Many connections, each with one request under way, that together send at a pace of their own as far as they can. */
export class Flood {
  readonly #sockets: { socket: Socket; unanswered: number }[] = []
  readonly #port: number
  readonly #requests: string[]
  #byStatus = new Map<string, number>()
  #next = 0

  constructor(port: number, requests: string[]) {
    this.#port = port
    this.#requests = requests
  }

  async run(connections: number, perSecond: number, seconds: number): Promise<Flooded> {
    while (this.#sockets.length < connections) this.#open()
    this.#byStatus = new Map()
    const startMs = performance.now()
    let sent = 0
    let heldBack = 0
    for (let due = 0; performance.now() - startMs < seconds * 1000; await sleep(PACE_MS)) {
      const wanted = Math.floor(((performance.now() - startMs) / 1000) * perSecond)
      for (; due < wanted && this.#send(); due++) sent++
      heldBack += wanted - due
      due = wanted
    }
    return { seconds: (performance.now() - startMs) / 1000, sent, heldBack, byStatus: this.#byStatus }
  }

  /** As many requests as are answered, on connections that always wait for the last answer: what the service can carry. */
  async carried(connections: number, seconds: number): Promise<number> {
    while (this.#sockets.length < connections) this.#open()
    this.#byStatus = new Map()
    const startMs = performance.now()
    for (; performance.now() - startMs < seconds * 1000; await sleep(1))
      for (const each of this.#sockets) if (each.unanswered === 0) this.#sendOn(each)
    return (this.#byStatus.get('200') ?? 0) / ((performance.now() - startMs) / 1000)
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

  #sendOn(each: { socket: Socket; unanswered: number }): void {
    each.unanswered++
    each.socket.write(this.#requests[this.#next++ % this.#requests.length] ?? '')
  }

  #open(): void {
    const each = { socket: connect({ port: this.#port, host: '127.0.0.1' }), unanswered: 0 }
    let tail = ''
    each.socket.setEncoding('latin1').on('data', (text: string) => {
      const all = tail + text
      let read = 0
      for (const { 0: line, 1: status = '', index } of all.matchAll(STATUS_LINE)) {
        this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
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
  }
}
