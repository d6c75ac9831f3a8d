import { parseObject, textOf } from '../base/json.ts'
import { type Driver, onOff, stateFeedback } from './driver.ts'
import { tasmotaTopic } from './tasmota-topic.ts'

const PULSE_OFFSET = 100
const SHORTEST_PULSE_S = 12
const LONGEST_PULSE_S = 64_800

/** Tasmota. PulseTime is a setting of the relay, so it is set before every switching on; 0 takes it away. */
export const tasmota: Driver = {
  goesBack: (on) => on,
  confirms: () => 'every command',

  publishes: ({ topic, output }, { on, backAfterS }) => {
    const power = { topic: tasmotaTopic(topic, 'cmnd', `POWER${output}`), payload: on ? 'ON' : 'OFF' }
    if (!on) return [power]
    const pulse = tasmotaTopic(topic, 'cmnd', `PulseTime${output}`)
    return [{ topic: pulse, payload: String(pulseTime(backAfterS)) }, power]
  },

  subscriptions: ({ topic, output }) => [
    tasmotaTopic(topic, 'stat', 'RESULT'),
    tasmotaTopic(topic, 'stat', `POWER${output}`),
    tasmotaTopic(topic, 'tele', 'STATE'),
    tasmotaTopic(topic, 'tele', 'LWT'),
  ],

  stateRequests: ({ topic, output }) => [{ topic: tasmotaTopic(topic, 'cmnd', `POWER${output}`), payload: '' }],

  feedback: ({ topic: device, output }, topic, payload) => {
    if (topic === tasmotaTopic(device, 'tele', 'LWT')) {
      const text = textOf(payload)
      return text === 'Online' || text === 'Offline' ? { kind: 'online', online: text === 'Online' } : undefined
    }
    if (topic === tasmotaTopic(device, 'stat', `POWER${output}`)) return stateFeedback(onOff(textOf(payload)))
    const reports = [tasmotaTopic(device, 'stat', 'RESULT'), tasmotaTopic(device, 'tele', 'STATE')]
    if (!reports.includes(topic)) return undefined
    const said = parseObject(payload)
    return stateFeedback(onOff(said?.[`POWER${output}`] ?? (output === '1' ? said?.POWER : undefined)))
  },
}

function pulseTime(seconds: number | null): number {
  if (seconds === null) return 0
  return Math.min(LONGEST_PULSE_S, Math.max(SHORTEST_PULSE_S, Math.ceil(seconds))) + PULSE_OFFSET
}
