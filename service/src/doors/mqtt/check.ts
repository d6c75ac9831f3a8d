import { randomUUID } from 'node:crypto'
import { type EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { brokerAddress, TOPIC_ROOT } from '@hypocaust/domain'
import type { Check } from '../../store/check.ts'

const ANSWER_TIMEOUT_MS = 5000
/** How long a message may take after the broker has accepted it. */
const DELIVERY_TIMEOUT_MS = 1000

/** Connects to the broker outside, where one is named, and has it carry a message to ourselves: that needs its access rules. */
export async function checkBroker(url: string | undefined): Promise<Check[]> {
  if (url === undefined) return []
  const check = 'MQTT broker'
  const where = new URL(url).host
  const { default: mqtt } = await import('mqtt')
  const client = mqtt.connect({
    ...brokerAddress(url),
    protocolVersion: 4,
    reconnectPeriod: 0,
    connectTimeout: ANSWER_TIMEOUT_MS,
  })
  const events = client as unknown as EventEmitter
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  try {
    await once(events, 'connect', { signal })
    const topic = `${TOPIC_ROOT}/check/${randomUUID()}`
    await client.subscribeAsync(topic, { qos: 1 })
    const delivered = new Promise((resolve) => client.once('message', resolve))
    await client.publishAsync(topic, '', { qos: 1 })
    const tooLong = setTimeout(DELIVERY_TIMEOUT_MS, 'too long', { ref: false })
    if ((await Promise.race([delivered, tooLong])) === 'too long') throw new Error('not delivered')
    return [{ check, ok: true, finding: `${where} answers, and carries messages below ${TOPIC_ROOT}` }]
  } catch (error) {
    return [{ check, ok: false, finding: `${where}: ${whyNot(error as Error, client.connected)}` }]
  } finally {
    client.on('error', () => {})
    client.end(true)
  }
}

function whyNot({ message, name, code }: NodeJS.ErrnoException, isConnected: boolean): string {
  const isTooLate = name === 'AbortError' || name === 'TimeoutError'
  if (isConnected)
    return `connected, but it does not carry messages below ${TOPIC_ROOT}; write its files with hypocaust broker mosquitto-config`
  return `${isTooLate ? `no answer within ${ANSWER_TIMEOUT_MS / 1000} s` : message || code}; check HYPOCAUST_MQTT_URL, its user and password`
}
