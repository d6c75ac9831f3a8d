import type { FastifyInstance } from 'fastify'
import { type Span, spanNow, within } from '../../base/tracing/span.ts'
import { NO_TRACES, type Tracer } from '../../base/tracing/tracer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where its trace is not recorded. */
    span: Span | undefined
  }
}

/** Asked every second or so by those who watch the process. */
const UNTRACED: (string | undefined)[] = ['/health/live', '/health/ready', '/metrics']

/** Each request is a span, in the trace that its `traceparent` names. Comes before the hook that has requests wait. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('span')
  if (tracer === NO_TRACES) return
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    const { url: route } = request.routeOptions
    if (UNTRACED.includes(route)) return done()
    const name = route === undefined ? method : `${method} ${route}`
    // A request from within the process, of an assistant's tool, belongs to the one that asked for it.
    const span = spanNow()?.child(name, 'server') ?? tracer.begin(name, 'server', headers.traceparent)
    request.span = span
    if (span) {
      Object.assign(span.attributes, {
        'http.request.method': method,
        ...(route !== undefined && { 'http.route': route }),
        'hypocaust.request_id': request.id,
      })
      reply.raw.once('close', () => {
        span.attributes['http.response.status_code'] = reply.statusCode
        span.failed = reply.statusCode >= 500
        span.end()
      })
    }
    within(span, done)
  })
}

/** What has waited, or read a body, goes on in the context of something else. */
export function resumeTraces(app: FastifyInstance, tracer: Tracer): void {
  if (tracer === NO_TRACES) return
  for (const hook of ['onRequest', 'preValidation'] as const)
    app.addHook(hook, (request: { span: Span | undefined }, _reply: unknown, done: () => void) =>
      within(request.span, done),
    )
}
