import { createServer, type RequestListener } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'

/** The first byte of every TLS connection; no HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16
/** A plain connection has this long for everything: to ask, and to be answered. */
const PLAIN_LIMIT_MS = 15_000
const MAX_HEADER_BYTES = 8 * 1024

/**
 * Lets a server for HTTPS answer plain HTTP on the same port, by a listener that knows nothing of the rest:
 * a device that does not trust the authority yet has no other way to fetch it.
 */
export function answerPlainToo(server: HttpsServer, listener: RequestListener): { stop(): Promise<void> } {
  const plain = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, listener)
  const secure = server.listeners('connection') as ((socket: Socket) => void)[]
  const waiting = new Set<Socket>()
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const limit = setTimeout(() => socket.destroy(), PLAIN_LIMIT_MS)
    const leave = () => {
      clearTimeout(limit)
      waiting.delete(socket)
    }
    const onError = () => socket.destroy()
    waiting.add(socket)
    socket.once('close', leave)
    socket.once('error', onError)
    socket.once('data', (first: Buffer) => {
      // Handed on as it came: the next handler reads it again from the beginning.
      socket.pause()
      socket.unshift(first)
      socket.off('error', onError)
      if (first[0] === TLS_HANDSHAKE) {
        leave()
        for (const accept of secure) accept.call(server, socket)
      } else {
        plain.emit('connection', socket)
      }
      process.nextTick(() => socket.resume())
    })
  })
  return {
    async stop() {
      for (const socket of waiting) socket.destroy()
    },
  }
}
