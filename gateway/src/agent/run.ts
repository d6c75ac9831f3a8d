import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Heard } from '../adapters/adapter.ts'
import { systemClock } from '../base/clock.ts'
import { systemClockSet } from '../base/clock-check.ts'
import { GatewayError } from '../base/error.ts'
import { access, MqttLink } from '../base/link.ts'
import { type Complain, type Log, throttled } from '../base/log.ts'
import { ServiceAddresses } from '../base/service-addresses.ts'
import { Store } from '../base/store.ts'
import { VERSION } from '../base/version.ts'
import type { GatewaySettings, ServiceSettings } from '../config/settings.ts'
import { Agent } from './agent.ts'
import { DeviceLink } from './device-link.ts'

const TICK_MS = 250
const SERVICE_SLOWEST_RETRY_MS = 60_000
const DEVICES_SLOWEST_RETRY_MS = 5_000

export interface RunOptions {
  settings: GatewaySettings
  log: Log
  signal: AbortSignal
  /** The relays are in hand, and both brokers are being connected. */
  onStarted?: (agent: Pick<Agent, 'state'>) => void
  /** With every reading of a sensor. */
  onHeard?: (reading: Heard) => void
}

/** Runs the agent until the signal; then it stores what it heard and says goodbye. */
export async function runGateway({ settings, log, signal, onStarted, onHeard }: RunOptions): Promise<void> {
  const { service } = settings
  if (!service) throw new GatewayError('this gateway is not paired yet: pair it with the code the service shows')
  const instance = randomBytes(4).toString('hex')
  const store = new Store(settings.dataFolder, log)
  store.open()
  const complain = throttled(log, () => systemClock.monotonicMs())
  const parts: RunParts = { settings, service, complain, agent: () => agent }
  const devices = await devicesOf(parts, instance)
  const addresses = new ServiceAddresses(store, service.url, systemClock.monotonicMs())
  const uplink = uplinkOf(parts, addresses.current)
  const agent: Agent = new Agent({
    settings: { ...settings, service },
    version: VERSION,
    instance,
    host: hostname(),
    clock: systemClock,
    clockIsSet: systemClockSet,
    store,
    devices,
    service: uplink,
    log,
    ...(onHeard && { onHeard }),
    onMove: (url) => {
      if (addresses.move(url, systemClock.monotonicMs())) uplink.moveTo(url)
    },
  })

  agent.start()
  uplink.start({ will: { ...agent.will, payload: Buffer.from(agent.will.payload), qos: 1, retain: true } })
  devices.start()
  const ticking = setInterval(() => {
    guarded(complain, 'a step', () => agent.tick())
    if (addresses.step(uplink.connected, systemClock.monotonicMs())) uplink.moveTo(addresses.current)
    complain.flush()
  }, TICK_MS)
  onStarted?.(agent)
  await stopped(signal)
  clearInterval(ticking)
  guarded(complain, 'stopping', () => agent.stop())
  await Promise.all([devices.stop(), uplink.stop()])
  store.close()
}

interface RunParts {
  settings: GatewaySettings
  service: ServiceSettings
  complain: Complain
  /** There is one by the time anything arrives. */
  agent(): Agent
}

const devicesOf = ({ settings, service, complain, agent }: RunParts, instance: string): Promise<DeviceLink> =>
  DeviceLink.of({
    polled: settings.polled,
    url: settings.devices.url,
    // Two agents of one identity must hear each other here instead of throwing each other off.
    options: { clientId: `hypocaust-${service.gatewayId}-${instance}`, ...access(settings.devices) },
    slowestRetryMs: DEVICES_SLOWEST_RETRY_MS,
    log: (line) => complain(line, line, 'devices'),
    subscriptions: () => agent().deviceSubscriptions,
    onUp: () => guarded(complain, 'taking up the devices', () => agent().devicesUp()),
    onMessage: (topic, payload, retained) =>
      guarded(complain, `reading ${topic}`, () => agent().deviceMessage(topic, payload, retained)),
  })

const uplinkOf = ({ service, complain, agent }: RunParts, url: string): MqttLink =>
  new MqttLink({
    name: "the service's broker",
    url,
    options: {
      clientId: service.gatewayId,
      ...access({ ...service, username: service.gatewayId, password: service.token }),
    },
    slowestRetryMs: SERVICE_SLOWEST_RETRY_MS,
    isPatient: () => agent().isStandingBy,
    log: (line) => complain(line, line, 'service'),
    subscriptions: () => agent().serviceSubscriptions,
    onUp: () => guarded(complain, 'taking up the service', () => agent().serviceUp()),
    onDown: () => agent().serviceDown(),
    onMessage: (topic, payload) => guarded(complain, `reading ${topic}`, () => agent().serviceMessage(topic, payload)),
  })

/** What fails is logged, and the agent goes on. */
function guarded(complain: Complain, what: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    complain(what, `${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  }
}

/** Resolved when the signal comes. */
const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
