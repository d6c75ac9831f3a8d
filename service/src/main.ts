import { X509Certificate } from 'node:crypto'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Clock, systemClock } from './base/clock.ts'
import { createLogger } from './base/logger.ts'
import { createMetrics, type Metrics } from './base/metrics.ts'
import { StartupError } from './base/startup-error.ts'
import { IS_RELEASED, VERSION } from './base/version.ts'
import { Announcement, refuseToAnnounceLoopback } from './doors/announce.ts'
import type { Readiness } from './doors/http/health.ts'
import type { FaultPlan } from './doors/http/v1/faults.ts'
import { installationOf } from './doors/installation.ts'
import { addressOf, type BrokerChoice } from './doors/mqtt/run.ts'
import { limitSockets, mostConnections } from './doors/sockets.ts'
import { chooseTls, type ServerTls } from './doors/tls/choose.ts'
import { answerPlainToo } from './doors/tls/door.ts'
import type { Authority } from './doors/tls/local.ts'
import { plainAnswers } from './doors/tls/plain-answers.ts'
import type { WeatherProvider } from './house/weather/weather.ts'
import { checkAuthSecret, readAuthSecret } from './people/accounts/secret.ts'
import { startAlerts } from './people/alerts/run.ts'
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
import { buildApp, buildStatusApp } from './roles/api.ts'
import { checkRole } from './roles/check-role.ts'
import { startIngest } from './roles/ingest.ts'
import type { Settings } from './settings.ts'
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
  stop(): Promise<void>
}

const REFRESH_TLS_EVERY_MS = 60_000
const READ_CLOCK_EVERY_MS = 10_000
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
  const logger = createLogger(settings.log_level)
  const own = extras.clock ?? systemClock
  const metrics = createMetrics()
  // By the real clock, whatever the service goes by: browsers do.
  const tls = await chooseTls(settings, systemClock)
  const broker = brokerOf(settings, tls?.server)
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of started.reverse()) await part.stop()
  }
  try {
    const store = await openStore(settings.data, settings.database_url, {
      connections: settings.database_connections,
    })
    started.push({ stop: () => store.close() })
    if (!store.isShared) started.push(lockFolder(settings.data))
    exportFigures(metrics, store, settings.role)
    const shared = store.isShared && !extras.clock ? new DatabaseClock(store, own, logger) : undefined
    await shared?.read()
    if (shared) started.push(repeat(READ_CLOCK_EVERY_MS, () => shared.read(), logger))
    const clock = shared ?? own
    const peers = settings.database_url === undefined ? undefined : await peersOn(settings.database_url, logger)
    if (peers) started.push(peers)
    const { alone, news }: Pick<Peers, 'alone' | 'news'> = peers ?? { alone: runUnshared, news: noNews }
    const common = {
      settings,
      store,
      clock,
      metrics,
      logger,
      broker,
      alone,
      news,
      ...(peers && { shares: peers.shares }),
    }
    const weather = extras.weather
    const ingest = settings.role === 'api' ? undefined : await startIngest({ ...common, ...(weather && { weather }) })
    if (ingest) started.push(ingest)
    const availability = { silentAfterS: settings.silent_after_s }
    const mailSettings = mailSettingsOf(settings)
    const mailer = mailSettings && new Mailer(mailSettings)
    const push = { network: extras.pushNetwork ?? publicNetwork(), contact: contactOf(settings.public_url) }
    if (ingest) started.push(startAlerts({ store, clock, logger, ...availability, mailer, push }))
    if (ingest && mailer) started.push(startMonthly({ store, clock, logger, mailer }))
    const readiness: Readiness[] = [
      () => (settings.role === 'ingest' && !ingest?.isConnected ? 'The MQTT broker is not connected.' : undefined),
      () => shared?.complaint,
    ]
    const authSecret = settings.role === 'ingest' ? undefined : (settings.auth_secret ?? readAuthSecret(settings.data))
    if (authSecret !== undefined) await checkAuthSecret(store, authSecret, logger)
    const network = webhookNetwork({ privateAddresses: settings.webhook_private_addresses })
    // The role that has the secret, by which messages are signed.
    if (authSecret !== undefined) {
      const sender = new WebhookSender({ network, authSecret })
      started.push(startWebhooks({ store, clock, logger, sender, alone }))
    }
    const metricsToken = settings.metrics_token === undefined ? {} : { metricsToken: settings.metrics_token }
    const mqtt = addressForGateways(settings) ?? ingest?.mqtt ?? addressOf(broker)
    const app =
      authSecret === undefined
        ? await buildStatusApp({ store, metrics, ...metricsToken, logger, readiness, ...(tls && { tls: tls.server }) })
        : await buildApp({
            store,
            clock,
            metrics,
            ...metricsToken,
            logger,
            readiness,
            shedding: { isBehind: () => ingest?.isBehind === true },
            limits: { read: settings.rate_limit_reads, write: settings.rate_limit_writes },
            availability,
            quotas: settings,
            onBuildingChanged: (buildingId) => ingest?.control(buildingId),
            news: peers?.news ?? new CommitNews(store),
            mqttAddress: () => mqtt,
            version: VERSION,
            website: {
              authSecret,
              openSignUp: settings.open_sign_up,
              oauthRegistration: settings.oauth_registration,
              ...(settings.public_url !== undefined && { publicUrl: settings.public_url }),
              weatherSource: extras.weather ? 'simulated' : settings.weather,
              ...(settings.release_feed !== undefined && { releaseFeed: settings.release_feed }),
              installedAs: settings.installed_as ?? (IS_RELEASED ? 'npm' : 'sources'),
              ...(settings.notices_file !== undefined && { noticesFile: settings.notices_file }),
              folder: WEBSITE_FOLDER,
              push,
              webhookNetwork: network,
              ...(mailer && { mailer }),
            },
            ...(settings.trusted_proxies && { trustedProxies: settings.trusted_proxies }),
            ...(tls && { tls: tls.server }),
            ...(tls?.local && { authorityFingerprint: tls.local.now.authority.fingerprint }),
            listensOn: settings.host,
            ...(extras.faults && { faults: extras.faults }),
          })
    started.push({ stop: () => app.close() })
    const local = tls?.local
    if (tls) exportExpiry(metrics, () => local?.now.server ?? tls.server, local ? 'local' : 'given')
    if (local) {
      const server = app.server as unknown as HttpsServer
      started.push(
        answerPlainToo(
          server,
          plainAnswers(() => local.now),
        ),
      )
      const refresh = async () => {
        const renewed = await local.refresh()
        if (!renewed) return
        server.setSecureContext(renewed)
        ingest?.useCertificate(renewed)
        logger.info({ names: local.now.names }, 'the certificate was renewed')
      }
      started.push(repeat(REFRESH_TLS_EVERY_MS, refresh, logger))
    }
    const { max_connections, max_connections_per_address: mostPerAddress, trusted_proxies: trustedProxies } = settings
    const most = mostConnections(max_connections)
    const countRefused = () => metrics.connectionsRefused.inc({ door: 'http' })
    limitSockets(app.server, { most, mostPerAddress, ...(trustedProxies && { trustedProxies }) }, logger, countRefused)
    const url = await listen(app, settings, tls !== undefined)
    if (settings.announce && settings.role !== 'ingest') {
      const { address, port } = app.server.address() as AddressInfo
      refuseToAnnounceLoopback(address)
      const installation = await installationOf(store)
      const isTls = tls !== undefined
      const announcement = new Announcement({ address, port, isTls, version: VERSION, installation, logger })
      announcement.start()
      started.push(announcement)
    }
    const { database_url } = settings
    const storedIn = database_url === undefined ? resolve(settings.data) : withoutPassword(database_url)
    return { url, storedIn, mqtt, ...(local && { authority: local.now.authority }), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The client's library is loaded only where it is used. */
async function peersOn(databaseUrl: string, logger: Logger): Promise<Peers> {
  const { joinPeers } = await import('./processes/postgres-peers.ts')
  return joinPeers(databaseUrl, logger)
}

function exportFigures(metrics: Metrics, store: Store, role: Settings['role']): void {
  metrics.build.set({ version: VERSION, role }, 1)
  let counted = 0
  metrics.beforeRead.push(() => {
    const { slow, connections, writeProblem } = store.load
    metrics.databaseWritable.set(writeProblem === undefined ? 1 : 0)
    metrics.slowStatements.inc(slow - counted)
    counted = slow
    for (const [state, count] of Object.entries(connections ?? {})) metrics.databaseConnections.set({ state }, count)
  })
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

async function listen(app: FastifyInstance, { host, port }: Settings, isTls: boolean): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw new StartupError(whyNotListening(error as NodeJS.ErrnoException, host, port))
  }
  const address = app.server.address() as AddressInfo
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${isTls ? 'https' : 'http'}://${shownHost}:${address.port}`
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken by another program. Stop it, or choose another port with --port.`
    case 'EACCES':
      return `port ${port} on ${host} may not be used by this user. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}. Choose another with --host.`
    default:
      return `cannot listen on ${host}:${port}: ${message}`
  }
}
