import Fastify, { type FastifyInstance } from 'fastify'
import { endConnectionsOnClose } from '../doors/http/closing.ts'
import { healthRoutes } from '../doors/http/health.ts'
import { COMMON_HEADERS } from '../doors/http/incoming.ts'
import { NO_LIMITS } from '../doors/http/limits.ts'
import { metricsRoute } from '../doors/http/metrics.ts'
import { type ConsoleParts, consoleRoutes } from '../doors/http/operator/index.ts'
import { type AppParts, serverOptions } from './api.ts'

type StatusParts = Pick<AppParts, 'metrics' | 'metricsToken' | 'logger' | 'tls' | 'readiness' | 'trustedProxies'>

/** The operators' console, in a process of its own: it is reached only where that process listens. */
export async function buildConsole(parts: ConsoleParts & StatusParts): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(parts, NO_LIMITS)) as unknown as FastifyInstance
  endConnectionsOnClose(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(COMMON_HEADERS)
  })
  healthRoutes(app, parts.store, parts.metrics, parts.readiness)
  metricsRoute(app, parts.metrics, parts.metricsToken)
  consoleRoutes(app, parts)
  await app.ready()
  return app
}
