import { isObject, parseJson, parseObject, textOf } from '../base/json.ts'
import { type Driver, onOff, stateFeedback } from './driver.ts'

/** `on_time` travels in tenths of a second in sixteen bits. */
const LONGEST_ON_S = 6553

/** A relay under zigbee2mqtt. A device of several outputs has the output's name behind each property. */
export const zigbee2mqtt: Driver = {
  goesBack: (on) => on,
  confirms: () => 'every command',

  publishes: ({ topic, output }, { on, backAfterS }) => {
    const suffix = output === '' ? '' : `_${output}`
    const timed = on && backAfterS !== null
    const message = {
      [`state${suffix}`]: on ? 'ON' : 'OFF',
      ...(timed && { [`on_time${suffix}`]: Math.min(LONGEST_ON_S, Math.ceil(backAfterS)) }),
    }
    return [{ topic: `${topic}/set`, payload: JSON.stringify(message) }]
  },

  subscriptions: ({ topic }) => [topic, `${topic}/availability`, ...bridgeTopics(topic)],

  stateRequests: ({ topic, output }) => [
    { topic: `${topic}/get`, payload: JSON.stringify({ [output === '' ? 'state' : `state_${output}`]: '' }) },
  ],

  feedback: ({ topic: device, output }, topic, payload) => {
    if (bridgeTopics(device).includes(topic)) return stateIn(payload) === 'online' ? { kind: 'again' } : undefined
    if (topic === `${device}/availability`) {
      const state = stateIn(payload)
      return state === 'online' || state === 'offline' ? { kind: 'online', online: state === 'online' } : undefined
    }
    if (topic !== device) return undefined
    return stateFeedback(onOff(parseObject(payload)?.[output === '' ? 'state' : `state_${output}`]))
  },
}

/** Where the bridge says that it has started. Its base may have several levels, and so may the device's name. */
function bridgeTopics(device: string): string[] {
  const levels = device.split('/')
  return levels.slice(0, -1).map((_, i) => `${levels.slice(0, i + 1).join('/')}/bridge/state`)
}

function stateIn(payload: Uint8Array): unknown {
  const value = parseJson(payload)
  return isObject(value) ? value.state : textOf(payload)
}
