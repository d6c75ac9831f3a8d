import { textOf } from '../json.ts'
import { type Adapter, heard } from './adapter.ts'

/** ESPHome publishes bare numbers: the file says which topic belongs to which sensor. */
export interface EsphomeSensor {
  id: string
  temperatureTopic: string
  humidityTopic: string | null
}

const HUMIDITY_FRESH_MS = 1_800_000

export function esphome({ named }: { named: readonly EsphomeSensor[] }): Adapter {
  const humidity = new Map<string, { percent: number; atMs: number }>()
  return {
    subscriptions: named.flatMap((sensor) => [sensor.temperatureTopic, sensor.humidityTopic ?? []].flat()),
    read({ topic, payload, retained, nowMs }) {
      const value = bareNumber(payload)
      if (retained || value === undefined) return []
      for (const sensor of named)
        if (sensor.humidityTopic === topic) humidity.set(sensor.id, { percent: value, atMs: nowMs })
      return named
        .filter((sensor) => sensor.temperatureTopic === topic)
        .flatMap((sensor) => {
          const told = humidity.get(sensor.id)
          const percent = told && Math.abs(nowMs - told.atMs) <= HUMIDITY_FRESH_MS ? told.percent : null
          return heard({ id: sensor.id, temperature: value, humidity: percent }, nowMs)
        })
    },
  }
}

function bareNumber(payload: Uint8Array): number | undefined {
  const text = payload.length <= 32 ? textOf(payload) : ''
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}
