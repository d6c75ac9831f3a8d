import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { refusing } from '../sockets.ts'

/** Requests of one connection under way at a time. Browsers and proxies send one after the other. */
export const MOST_PIPELINED = 16

/**
 * The parser hands over every request of a packet at once. Here the requests of a connection are handled one after the
 * other, so that one behind a change sees what it has changed. A connection that sends many without waiting for answers
 * is closed: all of them are kept in memory.
 */
export function handleInOrder(app: FastifyInstance, logger: Logger): void {
  const refuse = refusing(logger)
  /** What begins each request of a connection; the first is under way. */
  const lines = new WeakMap<Socket, (() => void)[]>()
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    if (socket.destroyed) return
    const line = lines.get(socket) ?? []
    lines.set(socket, line)
    if (line.length === MOST_PIPELINED)
      return refuse(socket, `a connection was closed: more than ${MOST_PIPELINED} requests without reading the answers`)
    line.push(done)
    reply.raw.once('close', () => {
      line.shift()
      if (!socket.destroyed) line[0]?.()
    })
    if (line.length === 1) done()
  })
}
