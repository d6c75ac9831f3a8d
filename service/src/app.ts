import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Availability } from './buildings/buildings.ts'
import type { Clock } from './clock.ts'
import { errors } from './errors.ts'
import { type PairParts, pairRoute } from './http/app/pair.ts'
import { MAX_BODY_BYTES, parseJsonOnly } from './http/body.ts'
import { referencePage } from './http/docs.ts'
import { answerBrokenConnection, answerUnroutable, handleErrors, pathOf } from './http/errors.ts'
import { tagAnswers } from './http/etag.ts'
import { healthRoutes } from './http/health.ts'
import { type Limits, RateLimits } from './http/limits.ts'
import { metricsRoute } from './http/metrics.ts'
import { describeInterface } from './http/openapi.ts'
import { KnownRoutes } from './http/routes-known.ts'
import { announce, budgetOf, refundNotModified, requireApiKey } from './http/v1/access.ts'
import { buildingRoutes } from './http/v1/buildings.ts'
import { CORS_HEADERS, preflightHeaders } from './http/v1/cors.ts'
import { keyRoutes } from './http/v1/key.ts'
import { type RoomParts, roomRoutes } from './http/v1/rooms.ts'
import type { Metrics } from './metrics.ts'
import type { Store } from './store/store.ts'

export interface AppParts {
  store: Store
  clock: Clock
  limits: Limits
  availability: Availability
  onBuildingChanged: RoomParts['onBuildingChanged']
  mqttAddress: PairParts['mqttAddress']
  metrics: Metrics
  logger: Logger
  version: string
  tls?: { cert: Buffer; key: Buffer }
}

const MAX_URL_LENGTH = 8 * 1024
const MAX_HEADER_BYTES = 32 * 1024
const REQUEST_TIMEOUT_MS = 30_000

/** The whole HTTP side, not yet listening. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(parts)) as unknown as FastifyInstance
  const routes = new KnownRoutes()
  const limits = new RateLimits(parts.limits, parts.clock)

  routes.watch(app)
  handleErrors(app)
  parseJsonOnly(app)
  answerUnknownPaths(app, routes, limits)
  await describeInterface(app, parts.version)
  await referencePage(app)
  pairRoute(app, parts)
  healthRoutes(app, parts.store)
  metricsRoute(app, parts.metrics)
  app.register(async (v1) => v1Routes(v1, parts, limits), { prefix: '/v1' })
  await app.ready()
  return app
}

function v1Routes(v1: FastifyInstance, parts: AppParts, limits: RateLimits): void {
  requireApiKey(v1, parts.store, parts.clock, limits)
  tagAnswers(v1, (request, reply) => refundNotModified(request, reply, limits))
  buildingRoutes(v1, parts)
  roomRoutes(v1, parts)
  keyRoutes(v1)
}

/** Decided before a body is read: the path, then the method; and a browser's question needs no key. */
function answerUnknownPaths(app: FastifyInstance, routes: KnownRoutes, limits: RateLimits): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url)
    const isV1 = path === '/v1' || path.startsWith('/v1/')
    reply.header('x-request-id', request.id)
    if (isV1) {
      reply.headers(CORS_HEADERS)
      announce(reply, limits, budgetOf(request))
    }
    if (request.url.length > MAX_URL_LENGTH) throw errors.uriTooLong()
    if (!request.is404) return
    const allow = routes.allowed(path)
    if (isV1 && allow && request.method === 'OPTIONS') return reply.code(204).headers(preflightHeaders(allow)).send()
    throw allow ? errors.methodNotAllowed(request.method, allow) : errors.noSuchPath(path)
  })
  app.setNotFoundHandler(async (request) => {
    throw errors.noSuchPath(pathOf(request.url))
  })
}

function serverOptions({ logger, tls }: AppParts) {
  return {
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: (request: IncomingMessage) => sane(request.headers['x-request-id']) ?? randomUUID(),
    ajv: { customOptions: { removeAdditional: false as const, coerceTypes: false as const, useDefaults: false } },
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerBrokenConnection,
    ...(tls ? { https: { ...tls, maxHeaderSize: MAX_HEADER_BYTES } } : { http: { maxHeaderSize: MAX_HEADER_BYTES } }),
  }
}

/** A proxy's request id is kept, unless it could do harm in a log. */
function sane(id: string | string[] | undefined): string | undefined {
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined
}
