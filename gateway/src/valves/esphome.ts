import { textOf } from '../base/json.ts'
import { type Driver, onOff, stateFeedback } from './driver.ts'

/** ESPHome has no auto-off over MQTT: the device's own configuration must switch off after a while. */
export const esphome: Driver = {
  goesBack: () => false,
  confirms: () => 'changes',

  publishes: ({ topic, output }, { on }) => [
    { topic: `${topic}/switch/${output}/command`, payload: on ? 'ON' : 'OFF' },
  ],

  subscriptions: ({ topic, output }) => [`${topic}/switch/${output}/state`, `${topic}/status`],

  feedback: ({ topic: prefix, output }, topic, payload) => {
    const text = textOf(payload)
    if (topic === `${prefix}/switch/${output}/state`) return stateFeedback(onOff(text))
    if (topic !== `${prefix}/status` || (text !== 'online' && text !== 'offline')) return undefined
    return { kind: 'online', online: text === 'online' }
  },
}
