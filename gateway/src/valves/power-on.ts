import { isObject, parseObject } from '../base/json.ts'
import type { DriverName, Publish, RelayOutput, ReplyAddress } from './driver.ts'
import { tasmotaTopic } from './tasmota-topic.ts'

/** How a driver is asked what its relay does after a power cut, and where in the answer it stands. */
interface PowerOn {
  setting: string
  requests(relay: RelayOutput, reply: ReplyAddress): Publish[]
  reads(relay: RelayOutput, topic: string, message: Record<string, unknown>, reply: ReplyAddress): unknown
}

const TASMOTA_STATES = ['off', 'on', 'toggle the saved state', 'the saved state', 'on, locked', 'off, then on']

const propertyOf = ({ output }: RelayOutput) => (output === '' ? 'power_on_behavior' : `power_on_behavior_${output}`)

const POWER_ON: Partial<Record<DriverName, PowerOn>> = {
  shelly: {
    setting: 'initial_state',
    requests: ({ topic, output }, { replyTo, id }) => {
      const call = { id, src: replyTo, method: 'Switch.GetConfig', params: { id: Number(output) } }
      return [{ topic: `${topic}/rpc`, payload: JSON.stringify(call) }]
    },
    reads: (_relay, topic, { id: answered, result }, { replyTo, id }) =>
      topic === `${replyTo}/rpc` && answered === id && isObject(result) ? result.initial_state : undefined,
  },
  tasmota: {
    setting: 'PowerOnState',
    requests: ({ topic }) => [{ topic: tasmotaTopic(topic, 'cmnd', 'PowerOnState'), payload: '' }],
    reads: ({ topic: device }, topic, { PowerOnState: state }) =>
      topic === tasmotaTopic(device, 'stat', 'RESULT') && typeof state === 'number' ? TASMOTA_STATES[state] : undefined,
  },
  zigbee2mqtt: {
    setting: 'power_on_behavior',
    requests: (relay) => [{ topic: `${relay.topic}/get`, payload: JSON.stringify({ [propertyOf(relay)]: '' }) }],
    reads: (relay, topic, message) =>
      topic === relay.topic ? (message[propertyOf(relay)] ?? message.power_on_behavior) : undefined,
  },
}

export const requestPowerOnState = (relay: RelayOutput, reply: ReplyAddress): Publish[] =>
  POWER_ON[relay.driver]?.requests(relay, reply) ?? []

/** A line for a person, when a message tells what the relay does after a power cut. */
export function powerOnLine(
  relay: RelayOutput & { normally: 'closed' | 'open' },
  topic: string,
  payload: Uint8Array,
  reply: ReplyAddress,
): string | undefined {
  const known = POWER_ON[relay.driver]
  const message = parseObject(payload)
  const state = known && message ? known.reads(relay, topic, message, reply) : undefined
  if (!known || typeof state !== 'string') return undefined
  const closes = relay.normally === 'closed' ? 'off' : 'on'
  const advice = state === closes ? '' : `; set it to ${closes} for a normally ${relay.normally} actuator`
  return `after a power cut its relay is: ${state} (${known.setting})${advice}`
}
