import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { readAuthSecret } from './accounts/secret.ts'
import { buildApp } from './app.ts'
import { RevisionWatch } from './buildings/revisions.ts'
import { type Clock, systemClock } from './clock.ts'
import { Fitting } from './heating/fitting.ts'
import { Heating } from './heating/heating.ts'
import type { FaultPlan } from './http/v1/faults.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { HomeAssistantDiscovery } from './mqtt/ha-discovery.ts'
import { type BrokerChoice, startMqtt } from './mqtt/run.ts'
import { type Retention, rollUpAll } from './readings/roll-up.ts'
import { repeat } from './repeat.ts'
import type { Settings } from './settings.ts'
import { StartupError } from './startup-error.ts'
import { openStore } from './store/open.ts'
import { chooseTls, type ServerTls } from './tls/choose.ts'
import { answerPlainToo } from './tls/door.ts'
import type { Authority } from './tls/local.ts'
import { plainAnswers } from './tls/plain-answers.ts'
import { VERSION } from './version.ts'
import { chooseWeather } from './weather/choose.ts'
import { updateWeather } from './weather/updates.ts'
import type { WeatherProvider } from './weather/weather.ts'

export interface RunningService {
  url: string
  mqtt: { port: number; tls: boolean }
  /** The local authority that vouches for this service, where one does. */
  authority?: Authority
  stop(): Promise<void>
}

const WATCH_REVISIONS_EVERY_MS = 500
const CONTROL_QUIET_EVERY_MS = 30_000
const FIT_EVERY_MS = 2_000
const ROLL_UP_EVERY_MS = 60_000
const WEATHER_EVERY_MS = 30_000
const REFRESH_TLS_EVERY_MS = 60_000
const WEBSITE_FOLDER = join(import.meta.dirname, '../../web/dist')

/** What a caller may bring along: a faster clock, the weather of a virtual house, a bad day. */
export interface ServiceExtras {
  clock?: Clock
  weather?: WeatherProvider
  faults?: FaultPlan
}

/** The whole service in one process: opens, wires, listens; `stop` drains and closes. */
export async function startService(settings: Settings, extras: ServiceExtras = {}): Promise<RunningService> {
  const logger = createLogger(settings.log_level)
  const clock = extras.clock ?? systemClock
  const metrics = createMetrics()
  // By the real clock, whatever the service goes by: browsers do.
  const tls = await chooseTls(settings, systemClock)
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of started.reverse()) await part.stop()
  }
  const recurring = (everyMs: number, work: () => Promise<unknown>) => started.push(repeat(everyMs, work, logger))
  try {
    const weather = extras.weather ?? chooseWeather(settings, clock)
    const store = await openStore(settings.data, settings.database_url, {
      connections: settings.database_connections,
    })
    started.push({ stop: () => store.close() })
    const heating = new Heating({ store, clock, metrics, logger, onControlled: (id) => void mqtt.commander.update(id) })
    const fitting = new Fitting({ store, clock, heating })
    const control = (buildingId: string) => void heating.control(buildingId)
    const broker = brokerOf(settings, tls?.server)
    const onReadings = (buildingIds: string[]) => buildingIds.forEach(control)
    const mqtt = await startMqtt({ store, clock, metrics, logger, broker, onReadings })
    started.push(mqtt, heating, fitting)
    const revisions = new RevisionWatch(store, clock)
    recurring(WATCH_REVISIONS_EVERY_MS, async () => (await revisions.changed()).forEach(control))
    recurring(CONTROL_QUIET_EVERY_MS, () => heating.controlQuiet(settings.silent_after_s))
    recurring(FIT_EVERY_MS, () => fitting.fitNext())
    recurring(ROLL_UP_EVERY_MS, () => rollUpAll(store, clock.now(), retentionOf(settings)))
    if (weather) {
      const update = () => updateWeather({ store, clock, logger, provider: weather, random: Math.random })
      void update().catch((err) => logger.error({ err }, 'no weather'))
      recurring(WEATHER_EVERY_MS, update)
    }
    const availability = { silentAfterS: settings.silent_after_s }
    const discovery = discoveryUrl(settings)
    if (discovery !== undefined) {
      const parts = { store, clock, logger, availability, url: discovery, version: VERSION, onBuildingChanged: control }
      const homeAssistant = new HomeAssistantDiscovery(parts)
      homeAssistant.start()
      started.push(homeAssistant)
    }
    const app = await buildApp({
      store,
      clock,
      metrics,
      logger,
      limits: { read: settings.rate_limit_reads, write: settings.rate_limit_writes },
      availability,
      onBuildingChanged: control,
      mqttAddress: () => mqtt.address,
      version: VERSION,
      website: {
        authSecret: settings.auth_secret ?? readAuthSecret(settings.data),
        openSignUp: settings.open_sign_up,
        weatherSource: extras.weather ? 'simulated' : settings.weather,
        folder: WEBSITE_FOLDER,
      },
      ...(tls && { tls: tls.server }),
      ...(tls?.local && { authorityFingerprint: tls.local.now.authority.fingerprint }),
      ...(extras.faults && { faults: extras.faults }),
    })
    started.push({ stop: () => app.close() })
    const local = tls?.local
    if (local) {
      const server = app.server as unknown as HttpsServer
      started.push(
        answerPlainToo(
          server,
          plainAnswers(() => local.now),
        ),
      )
      recurring(REFRESH_TLS_EVERY_MS, async () => {
        const renewed = await local.refresh()
        if (!renewed) return
        server.setSecureContext(renewed)
        mqtt.useCertificate(renewed)
        logger.info({ names: local.now.names }, 'the certificate was renewed')
      })
    }
    const url = await listen(app, settings, tls !== undefined)
    return { url, mqtt: mqtt.address, ...(local && { authority: local.now.authority }), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function brokerOf(settings: Settings, tls: ServerTls | undefined): BrokerChoice {
  if (settings.mqtt_url !== undefined) return { kind: 'external', url: settings.mqtt_url }
  const { host, mqtt_port: port, mqtt_max_connections: maxConnections } = settings
  return { kind: 'embedded', options: { host, port, maxConnections, ...(tls && { tls }) } }
}

/** The embedded broker is for gateways alone. */
function discoveryUrl({ ha_discovery, mqtt_url }: Settings): string | undefined {
  if (ha_discovery === 0) return undefined
  if (mqtt_url !== undefined) return mqtt_url
  throw new StartupError(
    'HYPOCAUST_HA_DISCOVERY=1 needs the MQTT broker that Home Assistant uses: HYPOCAUST_MQTT_URL=mqtt://host:1883',
  )
}

const retentionOf = (settings: Settings): Retention => ({
  rawDays: settings.history_raw_days,
  fiveMinuteDays: settings.history_five_minute_days,
  hourlyDays: settings.history_hourly_days,
  decisionDays: settings.history_decision_days,
})

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
