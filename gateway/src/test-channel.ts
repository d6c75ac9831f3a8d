import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewaySettings } from './config/settings.ts'
import { GatewayError } from './error.ts'
import { holdTopic } from './hold.ts'
import { MqttLink } from './link.ts'
import type { Log } from './log.ts'
import { access } from './run.ts'
import { Relay } from './valves/relay.ts'

const CONNECT_MS = 10_000
const MARGIN_S = 15

export interface TestOptions {
  settings: GatewaySettings
  channel: number
  seconds: number
  log: Log
  /** Closes the loop early. */
  signal: AbortSignal
}

/** Opens one loop for a while, for the person at the manifold. A running agent leaves the channel alone meanwhile. */
export async function testChannel({ settings, channel, seconds, log, signal }: TestOptions): Promise<void> {
  const chosen = settings.channels.find((each) => each.channel === channel)
  const all = settings.channels.map((each) => each.channel).join(', ') || 'none'
  if (!chosen) throw new GatewayError(`there is no channel ${channel} in the configuration; there are: ${all}`)
  const gatewayId = settings.service?.gatewayId ?? 'gateway'
  const up = Promise.withResolvers<void>()
  const relay = new Relay({
    name: chosen.name,
    settings: { ...chosen, autoOffS: seconds + MARGIN_S },
    asker: { replyTo: `hypocaust-${gatewayId}-test`, id: channel },
    isAutoOffProven: () => false,
    publish: ({ topic, payload }) => link.publish(topic, payload, { qos: 0, retain: false }),
    log,
  })
  const link: MqttLink = new MqttLink({
    name: 'the device broker',
    url: settings.devices.url,
    options: access(settings.devices),
    slowestRetryMs: 2_000,
    log,
    subscriptions: () => relay.subscriptions,
    onUp: () => up.resolve(),
    onMessage: (topic, payload, retained) => relay.receive(topic, payload, retained, performance.now()),
  })
  link.start()
  try {
    await inTime(up.promise, settings.devices.url)
    const hold = JSON.stringify({ channel, seconds: seconds + MARGIN_S })
    link.publish(holdTopic(gatewayId), hold, { qos: 1, retain: false })
    relay.set(true, performance.now())
    log(`${chosen.name} is told to open for ${seconds} s; a thermal actuator takes about 3 minutes for its whole way`)
    await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined)
    relay.set(false, performance.now())
    log(`${chosen.name} is told to close`)
  } finally {
    await link.stop()
  }
}

async function inTime(up: Promise<void>, url: string): Promise<void> {
  const late = sleep(CONNECT_MS, 'late' as const, { ref: false })
  if ((await Promise.race([up, late])) === 'late') throw new GatewayError(`no connection to ${url} within 10 s`)
}
