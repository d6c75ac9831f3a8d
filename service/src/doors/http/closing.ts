import type { FastifyInstance } from 'fastify'

/** Fastify lets go of idle connections as it begins to close; one whose answer is still under way would keep it open. */
export function letGoWhenClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}
