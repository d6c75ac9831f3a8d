import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

type Part = { chunk: Buffer; encoding: BufferEncoding }

/** A gateway's connection as the broker sees it: `take` sees all bytes first, and what it takes the broker never gets. */
export class BrokerStream extends Duplex {
  readonly #socket: Socket
  #holds = 0
  #heardAtMs = performance.now()
  #silence: NodeJS.Timeout | undefined
  /** Of this turn of the event loop. */
  #packets: Buffer[] = []

  constructor(socket: Socket, take: (bytes: Buffer) => boolean) {
    super()
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.#heardAtMs = performance.now()
      if (!take(bytes) && !this.push(bytes)) socket.pause()
    })
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /** A whole packet, past the broker. Those of one turn of the event loop are one system call. */
  send(packet: Buffer): void {
    if (this.#packets.length === 0) process.nextTick(() => this.#sendPackets())
    this.#packets.push(packet)
  }

  /** A gateway that does not read what it is sent is not read from either. */
  #sendPackets(): void {
    const [first, ...more] = this.#packets
    this.#packets = []
    if (!first || this.destroyed) return
    const bytes = more.length === 0 ? first : Buffer.concat([first, ...more])
    if (!this.#socket.write(bytes)) this.holdUntil(new Promise((resolve) => this.#socket.once('drain', resolve)))
  }

  /** Nothing more is read from the gateway until then. */
  holdUntil(ready: Promise<void>): void {
    this.#holds++
    this.#socket.pause()
    const goOn = () => {
      if (--this.#holds === 0) this.#socket.resume()
    }
    ready.then(goOn, goOn)
  }

  /** One timer for each connection that is not set anew by every packet. */
  endAfterSilenceOf(limitMs: number): void {
    const look = () => {
      const silentMs = performance.now() - this.#heardAtMs
      if (silentMs >= limitMs) this.destroy(new Error('keep alive timeout'))
      else this.#silence = setTimeout(look, limitMs - silentMs)
    }
    clearTimeout(this.#silence)
    look()
  }

  override _read(): void {
    if (this.#holds === 0) this.#socket.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done)
  }

  /** The broker writes a packet in parts: together they are one system call. */
  override _writev(parts: Part[], done: (error?: Error | null) => void): void {
    this.#socket.cork()
    parts.forEach(({ chunk, encoding }, i) => {
      this.#socket.write(chunk, encoding, i === parts.length - 1 ? done : undefined)
    })
    this.#socket.uncork()
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#silence)
    this.#socket.destroy()
    done(error)
  }
}
