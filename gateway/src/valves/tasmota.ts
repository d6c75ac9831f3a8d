import { parseObject, textOf } from '../json.ts'
import { type Driver, onOff, stateFeedback } from './driver.ts'

const PULSE_OFFSET = 100
const SHORTEST_PULSE_S = 12
const LONGEST_PULSE_S = 64_800

/** Tasmota. PulseTime is a setting of the relay, so it is set before every switching on; 0 takes it away. */
export const tasmota: Driver = {
  goesBack: (on) => on,
  confirms: () => 'every command',

  publishes: ({ topic, output }, { on, backAfterS }) => {
    const power = { topic: `cmnd/${topic}/POWER${output}`, payload: on ? 'ON' : 'OFF' }
    if (!on) return [power]
    return [{ topic: `cmnd/${topic}/PulseTime${output}`, payload: String(pulseTime(backAfterS)) }, power]
  },

  subscriptions: ({ topic, output }) => [`stat/${topic}/RESULT`, `stat/${topic}/POWER${output}`, `tele/${topic}/LWT`],

  asks: ({ topic, output }) => [{ topic: `cmnd/${topic}/POWER${output}`, payload: '' }],

  feedback: ({ topic: device, output }, topic, payload) => {
    if (topic === `tele/${device}/LWT`) {
      const text = textOf(payload)
      return text === 'Online' || text === 'Offline' ? { kind: 'online', online: text === 'Online' } : undefined
    }
    if (topic === `stat/${device}/POWER${output}`) return stateFeedback(onOff(textOf(payload)))
    if (topic !== `stat/${device}/RESULT`) return undefined
    const said = parseObject(payload)
    return stateFeedback(onOff(said?.[`POWER${output}`] ?? (output === '1' ? said?.POWER : undefined)))
  },
}

function pulseTime(seconds: number | null): number {
  if (seconds === null) return 0
  return Math.min(LONGEST_PULSE_S, Math.max(SHORTEST_PULSE_S, Math.ceil(seconds))) + PULSE_OFFSET
}
