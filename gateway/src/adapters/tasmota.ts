import { isObject, parseObject } from '../json.ts'
import { type Adapter, heard, isNumber, pairsOf } from './adapter.ts'

/** A wired sensor has no address of its own: the file gives it one by its device and the name in the message. */
export interface TasmotaSensor {
  id: string
  device: string
  name: string
}

export function tasmota({ named }: { named: readonly TasmotaSensor[] }): Adapter {
  return {
    subscriptions: ['tele/+/SENSOR'],
    read({ topic, payload, retained, nowMs }) {
      const said = parseObject(payload)
      if (retained || !said) return []
      const device = topic.split('/')[1]
      const celsius = (value: unknown) => (said.TempUnit === 'F' && isNumber(value) ? ((value - 32) * 5) / 9 : value)
      return Object.entries(said).flatMap(([name, part]) => {
        if (!isObject(part)) return []
        const given = named.find((sensor) => sensor.device === device && sensor.name === name)
        return heard(
          {
            id: given?.id ?? pairsOf(part.mac) ?? pairsOf(part.Id),
            temperature: celsius(part.Temperature),
            humidity: part.Humidity,
            batt: part.Battery,
            rssi: part.RSSI,
          },
          nowMs,
        )
      })
    },
  }
}
