import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

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
