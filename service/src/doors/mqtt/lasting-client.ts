import { brokerAddress } from '@hypocaust/domain'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import { systemClock } from '../../base/clock.ts'
import { OncePerMinute } from '../../base/once-per-minute.ts'

const FASTEST_RETRY_MS = 250
const SLOWEST_RETRY_MS = 15_000
const CONNECT_TIMEOUT_MS = 5000
/** A broker that hangs is noticed within one and a half of these. */
const KEEPALIVE_S = 10

/**
 * A client that reconnects for ever, whatever the reason: a refused password too, for the broker may read its files
 * a moment later. The reason is logged once a minute.
 */
export function connectLasting(url: string, name: string, logger: Logger, options: IClientOptions = {}): MqttClient {
  const complaints = new OncePerMinute(systemClock)
  let retryMs = FASTEST_RETRY_MS
  const client = mqtt.connect({
    ...brokerAddress(url),
    clean: true,
    protocolVersion: 4,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepalive: KEEPALIVE_S,
    reconnectPeriod: FASTEST_RETRY_MS,
    reconnectOnConnackError: true,
    resubscribe: false,
    // Else an object for each number that a packet could have: 7 MB.
    writeCache: false,
    ...options,
  })
  client.on('connect', () => {
    retryMs = FASTEST_RETRY_MS
  })
  client.on('close', () => {
    forgetUnanswered(client)
    // Not all processes at the same moment.
    client.options.reconnectPeriod = Math.round(retryMs * (0.5 + Math.random() / 2))
    retryMs = Math.min(SLOWEST_RETRY_MS, retryMs * 2)
  })
  client.on('error', (error) => {
    const why = whyOf(error)
    if (complaints.isFirst(why)) logger.warn({ why }, `${name} cannot be used; trying again`)
  })
  client.on('offline', () => {
    if (complaints.isFirst('offline')) logger.warn(`${name} is not connected; trying again`)
  })
  return client
}

/** Else a caller waits for an answer until the broker is back, and old messages come after new ones. */
function forgetUnanswered(client: MqttClient): void {
  for (const messageId of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(messageId))
}

/** An attempt at several addresses fails with one error that has no message of its own. */
function whyOf(error: Error & { errors?: Error[]; code?: number | string }): string {
  return error.message || error.errors?.map(({ message }) => message).join('; ') || String(error.code ?? error.name)
}
