import { connect, type Socket } from 'node:net'

/** What one connection sends again and again, as bytes. */
export type Requests = (n: number) => Buffer

export interface Driven {
  answered: number
  tookS: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** Kept connections, each with one request under way: the next is sent when the answer has come. */
export class Driver {
  readonly #sockets: Socket[]

  private constructor(sockets: Socket[]) {
    this.#sockets = sockets
  }

  static async connect(url: string, connections: number): Promise<Driver> {
    const { hostname, port } = new URL(url)
    const open = () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
        socket.once('error', reject)
      })
    return new Driver(await Promise.all(Array.from({ length: connections }, open)))
  }

  /** Fails at the first answer with another status: what is measured must be what was meant. */
  async run(count: number, status: number, requests: Requests): Promise<Driven> {
    const startMs = performance.now()
    let sent = 0
    await Promise.all(
      this.#sockets.map((socket) => exchange(socket, status, () => (sent < count ? requests(sent++) : undefined))),
    )
    return { answered: count, tookS: (performance.now() - startMs) / 1000 }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

function exchange(socket: Socket, status: number, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const closed = () => finish(new Error('the connection was closed'))
    const finish = (error?: Error) => {
      socket.off('data', take).off('close', closed)
      if (error) reject(error)
      else resolve()
    }
    const proceed = () => {
      const request = next()
      if (request) socket.write(request)
      else finish()
    }
    const take = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const headEnds = received.indexOf(END_OF_HEAD)
      if (headEnds < 0) return
      const head = received.toString('latin1', 0, headEnds)
      if (!head.startsWith(`HTTP/1.1 ${status} `)) return finish(new Error(`expected ${status}: ${received}`))
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (received.length < headEnds + END_OF_HEAD.length + length) return
      received = Buffer.alloc(0)
      proceed()
    }
    socket.on('data', take).on('close', closed)
    // Closed before, it would not say so again.
    if (socket.readyState === 'open') proceed()
    else closed()
  })
}

export function requestBytes(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Buffer {
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')}${body ?? ''}`)
}
