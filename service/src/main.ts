import { randomBytes, X509Certificate } from 'node:crypto'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Clock, systemClock } from './base/clock.ts'
import { createLogger } from './base/logger.ts'
import { createMetrics, type Metrics } from './base/metrics.ts'
import { exportEventLoop } from './base/saturation.ts'
import { tracingSettings } from './base/tracing/settings.ts'
import { NO_TRACES, type Tracer } from './base/tracing/tracer.ts'
import { IS_RELEASED, VERSION } from './base/version.ts'
import { Announcement, refuseToAnnounceLoopback } from './doors/announce.ts'
import type { Readiness } from './doors/http/health.ts'
import type { FaultPlan } from './doors/http/v1/faults.ts'
import { installationOf } from './doors/installation.ts'
import { listen } from './doors/listen.ts'
import { addressOf, type BrokerChoice } from './doors/mqtt/run.ts'
import { limitSockets, mostConnections } from './doors/sockets.ts'
import { chooseTls, type ServerTls } from './doors/tls/choose.ts'
import { answerPlainToo } from './doors/tls/door.ts'
import type { Authority } from './doors/tls/local.ts'
import { plainAnswers } from './doors/tls/plain-answers.ts'
import { calendarNetwork } from './house/calendars/network.ts'
import type { WeatherProvider } from './house/weather/weather.ts'
import { checkAuthSecret, readAuthSecret } from './people/accounts/secret.ts'
import { startAlerts } from './people/alerts/run.ts'
import { RequestErrors } from './people/fleet/request-errors.ts'
import { startMonthly } from './people/monthly/monthly.ts'
import { Mailer } from './people/notify/mail/mailer.ts'
import { mailSettingsOf } from './people/notify/mail/settings.ts'
import { type PushNetwork, publicNetwork } from './people/notify/push/network.ts'
import { contactOf } from './people/notify/push/sender.ts'
import { webhookNetwork } from './people/webhooks/network.ts'
import { startWebhooks } from './people/webhooks/run.ts'
import { WebhookSender } from './people/webhooks/sender.ts'
import { CommitNews } from './processes/commit-news.ts'
import { runUnshared } from './processes/exclusive.ts'
import { noNews } from './processes/news.ts'
import type { Peers } from './processes/postgres-peers.ts'
import { repeat } from './processes/repeat.ts'
import { watchEventLoop } from './processes/watchdog.ts'
import { buildApp, buildStatusApp } from './roles/api.ts'
import { checkRole } from './roles/check-role.ts'
import { startIngest } from './roles/ingest.ts'
import { buildConsole } from './roles/operator.ts'
import type { Settings } from './settings.ts'
import { exportDatabase } from './store/figures.ts'
import { keptOnce } from './store/kept-once.ts'
import { openStore, withoutPassword } from './store/open.ts'
import { DatabaseClock } from './store/postgres/clock.ts'
import { lockFolder } from './store/sqlite/one-service.ts'
import type { Store } from './store/store.ts'

export interface RunningService {
  url: string
  /** The database: a folder, or an address without its password. */
  storedIn: string
  mqtt: { port: number; tls: boolean }
  /** The local authority that vouches for this service, where one does. */
  authority?: Authority
  /** Ends the process when its event loop stands still; for a process that is nothing but the service. */
  watch(): void
  stop(): Promise<void>
}

const REFRESH_TLS_EVERY_MS = 60_000
const READ_CLOCK_EVERY_MS = 10_000
const WRITE_ERRORS_EVERY_MS = 5000
const WEBSITE_FOLDER = join(import.meta.dirname, '../../web/dist')

/** What a caller may bring along: a faster clock, the weather of a virtual house, a bad day. */
export interface ServiceExtras {
  clock?: Clock
  weather?: WeatherProvider
  faults?: FaultPlan
  pushNetwork?: PushNetwork
}

/** The service, or the share of it that this process has: opens, wires, listens; `stop` drains and closes. */
export async function startService(settings: Settings, extras: ServiceExtras = {}): Promise<RunningService> {
  checkRole(settings)
  // By the real clock, whatever the service goes by: browsers do.
  const tls = await chooseTls(settings, systemClock)
  const started = new Started()
  try {
    const base = await openBase(settings, extras, tls, started)
    const { weather } = extras
    const { servesPeople, ingests } = partsOf(settings)
    const ingest = ingests ? started.add(await startIngest({ ...base, ...(weather && { weather }) })) : undefined
    const outward = outwardOf(settings, extras)
    if (ingest) startPeopleWork(base, outward, started)
    const authSecret = await authSecretOf(base)
    // The role that has the secret, by which messages are signed.
    if (authSecret !== undefined && servesPeople) {
      const sender = new WebhookSender({ network: outward.webhookNetwork, authSecret, tracer: base.tracer })
      started.add(startWebhooks({ ...base, sender }))
    }
    const mqtt = addressForGateways(settings) ?? ingest?.mqtt ?? addressOf(base.broker)
    const requestErrors = new RequestErrors(base.store, base.clock)
    if (servesPeople) started.add(repeat(WRITE_ERRORS_EVERY_MS, () => requestErrors.write(), base.logger))
    const app = await openDoor({ base, extras, outward, tls, ingest, mqtt, authSecret, requestErrors })
    started.add({ stop: () => app.close() })
    if (tls) keepCertificate(base, app, tls, ingest, started)
    limitDoor(base, app)
    const url = await listen(app, settings, tls !== undefined)
    if (settings.announce && servesPeople) await announce(base, app, tls !== undefined, started)
    const { database_url } = settings
    const storedIn = database_url === undefined ? resolve(settings.data) : withoutPassword(database_url)
    const authority = tls?.local && { authority: tls.local.now.authority }
    const watch = () => watchEventLoop({ stalledAfterMs: settings.watchdog_s * 1000, watch: base.store.watch })
    return { url, storedIn, mqtt, ...authority, watch, stop: () => started.stop() }
  } catch (error) {
    await started.stop()
    throw error
  }
}

const partsOf = ({ role }: Settings) => ({
  servesPeople: role === 'all' || role === 'api',
  ingests: role === 'all' || role === 'ingest',
})

/** What has been started, to be stopped the other way round. */
class Started {
  readonly #parts: { stop(): Promise<void> }[] = []

  add<T extends { stop(): Promise<void> }>(part: T): T {
    this.#parts.push(part)
    return part
  }

  async stop(): Promise<void> {
    for (const part of this.#parts.reverse()) await part.stop()
  }
}

/** What the parts of every role stand on. */
async function openBase(settings: Settings, extras: ServiceExtras, tls: ChosenTls, started: Started) {
  const logger = createLogger(settings.log_level)
  const metrics = createMetrics()
  const own = extras.clock ?? systemClock
  const broker = brokerOf(settings, tls?.server)
  const store = await openStore(settings.data, settings.database_url, { connections: settings.database_connections })
  started.add({ stop: () => store.close() })
  if (!store.isShared) started.add(lockFolder(settings.data))
  const tracer = started.add(await tracerOn(store, metrics, logger))
  exportFigures(metrics, store, settings.role)
  const shared = store.isShared && !extras.clock ? new DatabaseClock(store, own, logger) : undefined
  await shared?.read()
  if (shared) started.add(repeat(READ_CLOCK_EVERY_MS, () => shared.read(), logger))
  const peers = settings.database_url === undefined ? undefined : await peersOn(settings.database_url, logger)
  if (peers) started.add(peers)
  const { alone, news }: Pick<Peers, 'alone' | 'news'> = peers ?? { alone: runUnshared, news: noNews }
  return {
    ...{ settings, store, metrics, tracer, logger, broker, alone, news },
    clock: shared ?? own,
    ...(peers && { shares: peers.shares }),
    availability: { silentAfterS: settings.silent_after_s },
    complaintOfClock: () => shared?.complaint,
    newsOfPeers: peers?.news,
  }
}

type Base = Awaited<ReturnType<typeof openBase>>
type ChosenTls = Awaited<ReturnType<typeof chooseTls>>
type Ingest = Awaited<ReturnType<typeof startIngest>>

/** The ways from the service to people and to other services. */
function outwardOf(settings: Settings, extras: ServiceExtras) {
  const mailSettings = mailSettingsOf(settings)
  return {
    mailer: mailSettings && new Mailer(mailSettings),
    push: { network: extras.pushNetwork ?? publicNetwork(), contact: contactOf(settings.public_url) },
    webhookNetwork: webhookNetwork({ privateAddresses: settings.webhook_private_addresses }),
    calendarNetwork: calendarNetwork({ privateAddresses: settings.calendar_private_addresses }),
  }
}

type Outward = ReturnType<typeof outwardOf>

function startPeopleWork(base: Base, { mailer, push }: Outward, started: Started): void {
  const { store, clock, logger, availability } = base
  started.add(startAlerts({ store, clock, logger, ...availability, mailer, push }))
  if (mailer) started.add(startMonthly({ store, clock, logger, mailer }))
}

/** Of the roles that serve people; there may be only one for all processes. */
async function authSecretOf({ settings, store, logger }: Base): Promise<string | undefined> {
  if (settings.role === 'ingest') return undefined
  const secret = settings.auth_secret ?? readAuthSecret(settings.data)
  await checkAuthSecret(store, secret, logger)
  return secret
}

interface DoorParts {
  base: Base
  extras: ServiceExtras
  outward: Outward
  tls: ChosenTls
  ingest: Ingest | undefined
  mqtt: RunningService['mqtt']
  /** Without it, only the state of the process is shown. */
  authSecret: string | undefined
  requestErrors: RequestErrors
}

/** The HTTP side, not listening yet. */
function openDoor(parts: DoorParts): Promise<FastifyInstance> {
  const { base, extras, outward, tls, ingest, mqtt, authSecret, requestErrors } = parts
  const { settings, store, clock, metrics, tracer, logger, availability, newsOfPeers } = base
  const common = {
    ...{ store, metrics, logger },
    ...(settings.metrics_token !== undefined && { metricsToken: settings.metrics_token }),
    readiness: readinessOf(base, ingest),
    ...(tls && { tls: tls.server }),
    ...(settings.trusted_proxies && { trustedProxies: settings.trusted_proxies }),
  }
  if (authSecret === undefined) return buildStatusApp(common)
  const { monthly_cost: monthlyCost } = settings
  const limits = { read: settings.rate_limit_reads, write: settings.rate_limit_writes }
  if (settings.role === 'operator')
    return buildConsole({
      ...{ ...common, clock, authSecret, availability, limits },
      ...(monthlyCost !== undefined && { monthlyCost }),
    })
  return buildApp({
    ...common,
    ...{
      clock,
      tracer,
      requestErrors,
      limits,
      availability,
      news: newsOfPeers ?? new CommitNews(store),
      version: VERSION,
      quotas: settings,
      listensOn: settings.host,
    },
    shedding: { isBehind: () => ingest?.isBehind === true },
    calendarNetwork: outward.calendarNetwork,
    onBuildingChanged: (buildingId) => ingest?.control(buildingId),
    mqttAddress: () => mqtt,
    website: websiteOf(settings, extras, outward, authSecret),
    ...(tls?.local && { authorityFingerprint: tls.local.now.authority.fingerprint }),
    ...(extras.faults && { faults: extras.faults }),
  })
}

const readinessOf = ({ settings, complaintOfClock }: Base, ingest: Ingest | undefined): Readiness[] => [
  () => (settings.role === 'ingest' && !ingest?.isConnected ? 'The MQTT broker is not connected.' : undefined),
  complaintOfClock,
]

const websiteOf = (
  settings: Settings,
  extras: ServiceExtras,
  { mailer, push, webhookNetwork }: Outward,
  authSecret: string,
) => ({
  ...{ authSecret, push, webhookNetwork, folder: WEBSITE_FOLDER },
  openSignUp: settings.open_sign_up,
  oauthRegistration: settings.oauth_registration,
  ...(settings.public_url !== undefined && { publicUrl: settings.public_url }),
  weatherSource: extras.weather ? ('simulated' as const) : settings.weather,
  ...(settings.release_feed !== undefined && { releaseFeed: settings.release_feed }),
  installedAs: settings.installed_as ?? (IS_RELEASED ? ('npm' as const) : ('sources' as const)),
  ...(settings.notices_file !== undefined && { noticesFile: settings.notices_file }),
  ...(mailer && { mailer }),
})

/** Shows when the certificate expires; one of the local authority is also answered for in plain text, and renewed. */
function keepCertificate(
  { metrics, logger }: Base,
  app: FastifyInstance,
  { server: given, local }: NonNullable<ChosenTls>,
  ingest: Ingest | undefined,
  started: Started,
): void {
  exportExpiry(metrics, () => local?.now.server ?? given, local ? 'local' : 'given')
  if (!local) return
  const server = app.server as unknown as HttpsServer
  const answers = plainAnswers(() => local.now)
  started.add(answerPlainToo(server, answers))
  const refresh = async () => {
    const renewed = await local.refresh()
    if (!renewed) return
    server.setSecureContext(renewed)
    ingest?.useCertificate(renewed)
    logger.info({ names: local.now.names }, 'the certificate was renewed')
  }
  started.add(repeat(REFRESH_TLS_EVERY_MS, refresh, logger))
}

function limitDoor({ settings, metrics, logger }: Base, app: FastifyInstance): void {
  const { max_connections, max_connections_per_address: mostPerAddress, trusted_proxies: trustedProxies } = settings
  const most = mostConnections(max_connections)
  const countRefused = () => metrics.connectionsRefused.inc({ door: 'http' })
  limitSockets(app.server, { most, mostPerAddress, ...(trustedProxies && { trustedProxies }) }, logger, countRefused)
}

async function announce({ store, logger }: Base, app: FastifyInstance, isTls: boolean, started: Started) {
  const { address, port } = app.server.address() as AddressInfo
  refuseToAnnounceLoopback(address)
  const installation = await installationOf(store)
  const announcement = new Announcement({ address, port, isTls, version: VERSION, installation, logger })
  announcement.start()
  started.add(announcement)
}

/** What exports traces is loaded only where an address for them is set. */
async function tracerOn(store: Store, metrics: Metrics, logger: Logger): Promise<Tracer> {
  const settings = tracingSettings(process.env)
  if (!settings) return NO_TRACES
  const { TraceExport } = await import('./base/tracing/export.ts')
  const key = await keptOnce(store, 'trace_key', () => randomBytes(32).toString('base64url'))
  return new TraceExport({ settings, key, metrics, logger })
}

/** The client's library is loaded only where it is used. */
async function peersOn(databaseUrl: string, logger: Logger): Promise<Peers> {
  const { joinPeers } = await import('./processes/postgres-peers.ts')
  return joinPeers(databaseUrl, logger)
}

function exportFigures(metrics: Metrics, store: Store, role: Settings['role']): void {
  metrics.build.set({ version: VERSION, role }, 1)
  exportEventLoop(metrics)
  exportDatabase(metrics, store)
}

function exportExpiry(metrics: Metrics, server: () => ServerTls, source: 'local' | 'given'): void {
  metrics.beforeRead.push(() => {
    const { validToDate } = new X509Certificate(server().cert)
    metrics.certificateExpires.set({ source }, validToDate.getTime() / 1000)
  })
}

function brokerOf(settings: Settings, tls: ServerTls | undefined): BrokerChoice {
  if (settings.mqtt_url !== undefined) return { kind: 'external', url: settings.mqtt_url }
  const { host, mqtt_port: port, mqtt_max_connections: wanted, trusted_proxies: trustedProxies } = settings
  const connections = {
    most: mostConnections(wanted),
    mostPerAddress: settings.mqtt_max_connections_per_address,
    ...(trustedProxies && { trustedProxies }),
  }
  return { kind: 'embedded', options: { host, port, connections, ...(tls && { tls }) } }
}

/** Where the broker stands behind something that ends TLS, only the operator knows. */
const addressForGateways = ({ mqtt_gateway_url: url }: Settings) =>
  url === undefined ? undefined : { host: new URL(url).hostname, ...addressOf({ kind: 'external', url }) }
