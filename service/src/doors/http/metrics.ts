import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../base/metrics.ts'

export function metricsRoute(app: FastifyInstance, { registry, httpDuration, beforeRead }: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    httpDuration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    for (const refresh of beforeRead) refresh()
    reply.type(registry.contentType)
    return registry.metrics()
  })
}
