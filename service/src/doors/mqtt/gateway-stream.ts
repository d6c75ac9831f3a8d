import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { PacketGuard } from './packet-guard.ts'

type Part = { chunk: Buffer; encoding: BufferEncoding }

/** A gateway's connection as the broker reads it: a packet that is too large ends it, and reading can be held back. */
export class GatewayStream extends Duplex {
  readonly socket: Socket
  #holds = 0

  constructor(socket: Socket, maxPacketBytes: number) {
    super()
    this.socket = socket
    const guard = new PacketGuard(maxPacketBytes)
    socket.on('data', (bytes: Buffer) => {
      if (!guard.allows(bytes)) this.destroy()
      else if (!this.push(bytes)) socket.pause()
    })
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /** Nothing more is read from the gateway until then. */
  holdUntil(ready: Promise<void>): void {
    this.#holds++
    this.socket.pause()
    const release = () => {
      if (--this.#holds === 0) this.socket.resume()
    }
    ready.then(release, release)
  }

  override _read(): void {
    if (this.#holds === 0) this.socket.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, encoding, done)
  }

  /** The broker writes a packet in parts: together they are one system call. */
  override _writev(parts: Part[], done: (error?: Error | null) => void): void {
    this.socket.cork()
    parts.forEach(({ chunk, encoding }, i) => {
      this.socket.write(chunk, encoding, i === parts.length - 1 ? done : undefined)
    })
    this.socket.uncork()
  }

  override _final(done: () => void): void {
    this.socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy()
    done(error)
  }
}
