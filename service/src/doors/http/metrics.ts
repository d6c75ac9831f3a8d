import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../base/errors.ts'
import type { Metrics } from '../../base/metrics.ts'
import { openMetrics } from '../../base/open-metrics.ts'

/** Open to everybody, or to those who send the token, where there is one. */
export function metricsRoute(
  app: FastifyInstance,
  { registry, httpDuration, beforeRead }: Metrics,
  token?: string,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    httpDuration.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000, request.span)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async ({ headers }, reply) => {
    if (token !== undefined && !isSame(headers.authorization ?? '', `Bearer ${token}`)) throw errors.wrongMetricsToken()
    for (const refresh of beforeRead) await refresh()
    const shown = asksForOpenMetrics(headers.accept) ? openMetrics(registry) : registry
    reply.type(shown.contentType).header('vary', 'accept')
    return shown.metrics()
  })
}

/** As Prometheus does, which then also reads the traces that figures name. */
const asksForOpenMetrics = (accept = ''): boolean =>
  accept.split(',').some((range) => /^\s*application\/openmetrics-text\b(?!.*;\s*q=0(\.0+)?\s*$)/i.test(range))

/** Takes as long for a near miss as for any other. */
const isSame = (given: string, right: string): boolean => timingSafeEqual(digest(given), digest(right))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
