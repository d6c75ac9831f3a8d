import { parseObject } from '../json.ts'
import { type Adapter, heard, pairsOf } from './adapter.ts'

/** OpenMQTTGateway and Theengs Gateway. Their own temperature (SYStoMQTT) is not a room and is not subscribed to. */
export function openMqttGateway({ base }: { base: string }): Adapter {
  return {
    subscriptions: [`${base}/+/BTtoMQTT/+`],
    read({ topic, payload, retained, nowMs }) {
      if (retained) return []
      const said = parseObject(payload)
      if (!said) return []
      const id = typeof said.id === 'string' ? said.id : pairsOf(topic.slice(topic.lastIndexOf('/') + 1))
      return heard({ id, temperature: said.tempc, humidity: said.hum, batt: said.batt, rssi: said.rssi }, nowMs)
    },
  }
}
