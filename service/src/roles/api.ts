import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Bindings, Logger } from 'pino'
import Type from 'typebox'
import type { Clock } from '../base/clock.ts'
import { errors } from '../base/errors.ts'
import type { Metrics } from '../base/metrics.ts'
import { NO_QUOTAS, type Quotas } from '../base/quotas.ts'
import { NO_TRACES, type Tracer } from '../base/tracing/tracer.ts'
import { appRoutes, type WebsiteParts } from '../doors/http/app/index.ts'
import { describeOwnInterface } from '../doors/http/app/openapi.ts'
import { type PairParts, pairRoute } from '../doors/http/app/pair.ts'
import { knowBasePath } from '../doors/http/base-path.ts'
import { MAX_BODY_BYTES, parseJsonOnly } from '../doors/http/body.ts'
import { endConnectionsOnClose } from '../doors/http/closing.ts'
import { keyLimits } from '../doors/http/common-limits.ts'
import { compressLargeAnswers } from '../doors/http/compress.ts'
import { handleInOrder } from '../doors/http/connections.ts'
import { controlInterface } from '../doors/http/control/index.ts'
import { referencePage } from '../doors/http/docs.ts'
import { answerBrokenConnection, handleErrors, pathOf, sendError } from '../doors/http/errors.ts'
import { tagAnswers, tagOf } from '../doors/http/etag.ts'
import { healthRoutes, type Readiness } from '../doors/http/health.ts'
import {
  COMMON_HEADERS,
  hasOneHost,
  ignoreUnknownExpectations,
  originForm,
  requestIdOf,
} from '../doors/http/incoming.ts'
import { type Limits, NO_LIMITS, type RateLimits } from '../doors/http/limits.ts'
import { mcpRoute } from '../doors/http/mcp.ts'
import { metricsRoute } from '../doors/http/metrics.ts'
import { oauthRoutes } from '../doors/http/oauth/index.ts'
import { knowIssuer } from '../doors/http/oauth/issuer.ts'
import { describeInterface } from '../doors/http/openapi.ts'
import { RequestLogger } from '../doors/http/request-logger.ts'
import { KnownRoutes } from '../doors/http/routes-known.ts'
import { compileOnFirstUse, serialiserOf } from '../doors/http/schema-compilers.ts'
import { type SheddingParts, shedLoad } from '../doors/http/shedding.ts'
import { resumeTraces, traceRequests } from '../doors/http/tracing.ts'
import { Turns } from '../doors/http/turns.ts'
import { refuseUnstorableText } from '../doors/http/unstorable-text.ts'
import { announce, budgetOf, chargeByAnswer, decorateKeyRequests, requireApiKey } from '../doors/http/v1/access.ts'
import { awayRoutes } from '../doors/http/v1/away.ts'
import { BuildingStates } from '../doors/http/v1/building-states.ts'
import { buildingRoutes } from '../doors/http/v1/buildings.ts'
import { changesRoute } from '../doors/http/v1/changes.ts'
import { CORS_HEADERS, preflightHeaders } from '../doors/http/v1/cors.ts'
import { energyRoutes } from '../doors/http/v1/energy.ts'
import { eventsRoute } from '../doors/http/v1/events.ts'
import { type FaultPlan, injectFaults } from '../doors/http/v1/faults.ts'
import { feedbackRoute } from '../doors/http/v1/feedback.ts'
import { houseReportRoutes } from '../doors/http/v1/house-report.ts'
import { keyRoutes } from '../doors/http/v1/key.ts'
import { logRoute } from '../doors/http/v1/log.ts'
import { overrideRoutes } from '../doors/http/v1/overrides.ts'
import { powerLimitRoutes } from '../doors/http/v1/power-limit.ts'
import { presenceRoutes } from '../doors/http/v1/presence.ts'
import { announceRenamedFields } from '../doors/http/v1/renamed-fields.ts'
import { type RoomParts, roomRoutes } from '../doors/http/v1/rooms.ts'
import { Ref } from '../doors/http/v1/schemas.ts'
import { stateRoutes } from '../doors/http/v1/state.ts'
import { Website } from '../doors/http/website.ts'
import { installationOf } from '../doors/installation.ts'
import { matcherOf } from '../doors/sockets.ts'
import type { ServerTls } from '../doors/tls/choose.ts'
import type { Availability } from '../house/buildings/buildings.ts'
import { stampsOf } from '../house/buildings/stamps.ts'
import type { CalendarNetwork } from '../house/calendars/network.ts'
import { RevisionWaits, waitsByBuilding } from '../house/revision-waits.ts'
import { RoomLists } from '../house/rooms/room-lists.ts'
import type { RequestErrors } from '../people/fleet/request-errors.ts'
import type { News } from '../processes/news.ts'
import type { Store } from '../store/store.ts'

export interface AppParts {
  store: Store
  clock: Clock
  limits: Limits
  availability: Availability
  /** Left out, an account may have as much as it likes. */
  quotas?: Quotas
  /** Left out, calendars are fetched from public addresses only. */
  calendarNetwork?: CalendarNetwork
  onBuildingChanged: RoomParts['onBuildingChanged']
  news: News
  mqttAddress: PairParts['mqttAddress']
  metrics: Metrics
  /** Left out, nothing is traced. */
  tracer?: Tracer
  /** Left out, everybody may read the figures. */
  metricsToken?: string
  logger: Logger
  version: string
  tls?: ServerTls
  /** SHA-256 of the local authority, where one vouches for this service. */
  authorityFingerprint?: string
  /** Where the service listens. */
  listensOn?: string
  /** What the process needs for its work beside the database. */
  readiness?: Readiness[]
  shedding?: SheddingParts
  /** Left out, only programs are served. */
  website?: WebsiteParts
  /** Addresses and ranges of proxies whose word on the caller's address, host and protocol is taken. */
  trustedProxies?: string
  /** How long a request may take to arrive; 30 s unless given. */
  requestTimeoutMs?: number
  /** What could not be answered, for the operators' console. */
  requestErrors?: RequestErrors
  /** A bad day on /v1, for who tries a client. */
  faults?: FaultPlan
}

const MAX_URL_LENGTH = 8 * 1024
const MAX_HEADER_BYTES = 32 * 1024
const REQUEST_TIMEOUT_MS = 30_000
/** A connection on which nothing moves, though an answer waits to be read; events are sent more often than that. */
const STALLED_AFTER_MS = 120_000

/** The whole HTTP side, not yet listening. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const limits = keyLimits(parts.limits, parts.store, parts.clock)
  const app = Fastify(serverOptions(parts, limits)) as unknown as FastifyInstance
  const routes = new KnownRoutes()
  const { website } = parts
  const pages = website && new Website(website.folder)

  const { tracer = NO_TRACES } = parts
  routes.watch(app)
  endConnectionsOnClose(app)
  traceRequests(app, tracer)
  handleInOrder(app, parts.logger)
  resumeTraces(app, tracer)
  knowBasePath(app, matcherOf(parts.trustedProxies))
  knowIssuer(app, website?.publicUrl)
  handleErrors(app, parts.requestErrors)
  parseJsonOnly(app)
  refuseUnstorableText(app)
  answerUnknownPaths(app, routes, limits, pages)
  const shedding = shedLoad(app, parts.shedding ?? {})
  const { beforeRead, saturation } = parts.metrics
  beforeRead.push(() => saturation.set({ resource: 'requests' }, shedding.fullness))
  const lists = new RoomLists(parts.store, parts.clock, tagOf(parts.version).slice(1, 7))
  ignoreUnknownExpectations(app.server)
  await describeInterface(app, parts.version)
  describeOwnInterface(app, parts.version)
  referencePage(app)
  pairRoute(app, parts)
  healthRoutes(app, parts.store, parts.metrics, parts.readiness)
  metricsRoute(app, parts.metrics, parts.metricsToken)
  if (website)
    app.register(async (own) => appRoutes(own, { ...parts, turns: new Turns(shedding) }, website), { prefix: '/app' })
  decorateKeyRequests(app)
  if (website)
    app.register(async (oauth) =>
      oauthRoutes(oauth, { quotas: NO_QUOTAS, ...parts, canRegister: website.oauthRegistration }),
    )
  mcpRoute(app, parts, limits, new Turns(shedding))
  app.register(async (v1) => v1Routes(v1, parts, limits, lists, new Turns(shedding)), { prefix: '/v1' })
  await controlInterface(app, parts, limits, new Turns(shedding))
  await app.ready()
  return app
}

/** For a process that nobody but its keeper asks: whether it lives, and its figures. */
export async function buildStatusApp(
  parts: Pick<AppParts, 'store' | 'metrics' | 'metricsToken' | 'logger' | 'tls' | 'readiness'>,
): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(parts, NO_LIMITS)) as unknown as FastifyInstance
  const routes = new KnownRoutes()
  routes.watch(app)
  endConnectionsOnClose(app)
  handleErrors(app)
  answerUnknownPaths(app, routes, NO_LIMITS)
  healthRoutes(app, parts.store, parts.metrics, parts.readiness)
  metricsRoute(app, parts.metrics, parts.metricsToken)
  await app.ready()
  return app
}

function v1Routes(v1: FastifyInstance, parts: AppParts, limits: RateLimits, lists: RoomLists, turns: Turns): void {
  requireApiKey(v1, parts.store, parts.clock, limits, turns)
  if (parts.faults) injectFaults(v1, limits, parts.faults)
  tagAnswers(v1, chargeByAnswer(limits))
  compressLargeAnswers(v1)
  announceRenamedFields(v1)
  buildingRoutes(v1, parts)
  roomRoutes(v1, parts, limits, lists)
  awayRoutes(v1, parts)
  powerLimitRoutes(v1, parts)
  presenceRoutes(v1, parts)
  overrideRoutes(v1, parts)
  feedbackRoute(v1, parts)
  energyRoutes(v1, parts)
  houseReportRoutes(v1, parts)
  changesRoute(v1, parts, limits, turns)
  logRoute(v1, parts)
  const states = new BuildingStates(parts, {
    state: serialiserOf(v1, Ref('State')),
    alerts: serialiserOf(v1, Type.Array(Ref('Alert'))),
    outlook: serialiserOf(v1, Ref('Outlook')),
    air: serialiserOf(v1, Ref('Air')),
  })
  const revisions = new RevisionWaits({
    news: parts.news,
    named: waitsByBuilding,
    revisionsOf: (ids) => stampsOf(parts.store, ids),
  })
  stateRoutes(v1, { ...parts, states, revisions, limits, turns })
  eventsRoute(v1, { ...parts, states, revisions, limits, turns })
  keyRoutes(v1, async () => ({ installation: await installationOf(parts.store), version: parts.version }))
}

/** Decided before a body is read: the path, then the method; and a browser's question needs no key. */
function answerUnknownPaths(app: FastifyInstance, routes: KnownRoutes, limits: RateLimits, pages?: Website): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.url)
    addCommonHeaders(request, reply, path, limits)
    if (!hasOneHost(request.raw)) return done(errors.invalidValue('The request must have exactly one Host header.'))
    if (request.url.length > MAX_URL_LENGTH) return done(errors.uriTooLong())
    // The router takes nothing between two slashes for an id.
    if (isOpenedByKey(path) && (path.endsWith('/') || path.includes('//'))) return done(errors.noSuchPath(path))
    if (!request.is404) return done()
    if (pages?.answer(request, reply, path)) return
    const allow = routes.allowed(path)
    if (isOpenToPages(path) && allow && request.method === 'OPTIONS')
      return void reply.code(204).headers(preflightHeaders(allow)).send()
    done(allow ? errors.methodNotAllowed(request.method, allow) : errors.noSuchPath(path))
  })
  app.setNotFoundHandler(async (request) => {
    throw errors.noSuchPath(pathOf(request.url))
  })
}

/** On every response, also to a request that leads nowhere. */
function addCommonHeaders(request: FastifyRequest, reply: FastifyReply, path: string, limits: RateLimits): void {
  reply.header('x-request-id', request.id)
  reply.headers(COMMON_HEADERS)
  if (!isOpenedByKey(path)) return
  reply.headers(CORS_HEADERS)
  announce(reply, limits, budgetOf(request))
}

/** A browser lets pages of any website read these. */
const isOpenToPages = (path: string): boolean => isOpenedByKey(path) || /^\/(oauth|\.well-known)\//.test(path)

const isOpenedByKey = (path: string): boolean => /^\/(control\/)?v1(\/|$)/.test(path)

type ServerParts = Pick<AppParts, 'logger' | 'tls' | 'trustedProxies' | 'requestTimeoutMs'>

export function serverOptions(parts: ServerParts, limits: RateLimits) {
  const { logger, tls, trustedProxies, requestTimeoutMs = REQUEST_TIMEOUT_MS } = parts
  // A request without Host is answered by us: Node's own answer has no body.
  const server = {
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: requestTimeoutMs / 6,
  }
  return {
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustedProxies ?? false,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: STALLED_AFTER_MS,
    // While draining, requests under way are answered; Fastify's own refusal has another form than ours.
    return503OnClosing: false,
    childLoggerFactory: (own: FastifyBaseLogger, bindings: Bindings) => new RequestLogger(own, bindings),
    // An id of any length is the id of something that does not exist; the length of the whole is limited elsewhere.
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    rewriteUrl: originForm,
    genReqId: ({ headers }: IncomingMessage) => requestIdOf(headers),
    schemaController: { compilersFactory: compileOnFirstUse },
    ajv: { customOptions: { removeAdditional: false as const, coerceTypes: false as const, useDefaults: false } },
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      addCommonHeaders(request, reply, pathOf(request.url), limits)
      sendError(reply, errors.noSuchPath(pathOf(request.url)))
    },
    clientErrorHandler: answerBrokenConnection,
    ...(tls ? { https: { ...tls, ...server } } : { http: server }),
  }
}
