import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A reader that does not take the rest of an answer in this time is cut off. */
const LINGER_MS = 1000

/** For an answer that has just ended: its reader may have stopped reading, and would keep a closing service open. */
export function lingerBriefly(response: ServerResponse): void {
  const cut = setTimeout(() => response.destroy(), LINGER_MS).unref()
  response.once('close', () => clearTimeout(cut))
}

/** Fastify lets go of idle connections as it begins to close; one whose answer is still under way would keep it open. */
export function endConnectionsOnClose(app: FastifyInstance): void {
  const { server } = app
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  const letGo = () => {
    if (isClosing) setImmediate(() => server.closeIdleConnections())
  }
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => response.once('close', letGo))
}
