import { isObject, parseJson, parseObject } from '../json.ts'
import { type Driver, onOff, stateFeedback } from './driver.ts'

/** `on_time` travels in tenths of a second in sixteen bits. */
const LONGEST_ON_S = 6553

/** A relay under zigbee2mqtt. A device of several outputs has the output's name behind each property. */
export const zigbee2mqtt: Driver = {
  goesBack: (on) => on,

  publishes: ({ topic, output }, { on, backAfterS }) => {
    const suffix = output === '' ? '' : `_${output}`
    const timed = on && backAfterS !== null
    const message = {
      [`state${suffix}`]: on ? 'ON' : 'OFF',
      ...(timed && { [`on_time${suffix}`]: Math.min(LONGEST_ON_S, Math.ceil(backAfterS)) }),
    }
    return [{ topic: `${topic}/set`, payload: JSON.stringify(message) }]
  },

  subscriptions: ({ topic }) => [topic, `${topic}/availability`],

  feedback: ({ topic: device, output }, topic, payload) => {
    if (topic === `${device}/availability`) {
      const value = parseJson(payload)
      const state = isObject(value) ? value.state : new TextDecoder().decode(payload)
      return state === 'online' || state === 'offline' ? { kind: 'online', online: state === 'online' } : undefined
    }
    if (topic !== device) return undefined
    return stateFeedback(onOff(parseObject(payload)?.[output === '' ? 'state' : `state_${output}`]))
  },
}
