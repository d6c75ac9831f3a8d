import { sensorIdOf } from '../base/sensor-id.ts'
import type { ValueSource } from '../inputs/value.ts'
import type { SupplySettings } from '../supply/settings.ts'
import type { Fault } from './fault.ts'
import { OwnChannels } from './own-channels.ts'
import type { GatewayFile } from './schema.ts'
import type { FileSupply } from './supply-schema.ts'

const LEAST_C = 20

type FileSupplies = FileSupply | FileSupply[] | undefined

export const suppliesOf = (file: FileSupplies = []): SupplySettings[] => [file].flat().map(supplyOf)

function supplyOf(file: FileSupply): SupplySettings {
  const { fallback_curve: curve } = file
  return {
    driver: file.driver,
    topic: file.topic,
    payload: file.payload ?? '{value}',
    minC: file.min_c ?? LEAST_C,
    maxC: file.max_c,
    fallbackC: file.fallback_c,
    channels: file.channels ? new Set(file.channels) : null,
    curve: curve
      ? {
          outdoor: valueSourceOf(curve.outdoor),
          cold: { outdoorC: curve.cold.outdoor_c, supplyC: curve.cold.supply_c },
          mild: { outdoorC: curve.mild.outdoor_c, supplyC: curve.mild.supply_c },
        }
      : null,
  }
}

export const valueSourceOf = ({ sensor, topic = '', path = null }: FileValue): ValueSource =>
  sensor === undefined ? { topic, path } : { sensorId: sensorIdOf(sensor) }

type FileValue = { sensor?: string | undefined; topic?: string | undefined; path?: string | null | undefined }

export function suppliesFaults({ supply_temperature: file, channels }: GatewayFile): Fault[] {
  const taken = new Set<string>()
  const own = new OwnChannels(channels)
  return [file ?? []].flat().flatMap((each, i) => {
    const path = Array.isArray(file) ? ['supply_temperature', i] : ['supply_temperature']
    const fault = each.channels ? own.faultOf(each.channels, 'supply temperature') : null
    if (fault) return [{ path: [...path, 'channels'], message: fault }]
    const isTaken = taken.has(each.topic)
    taken.add(each.topic)
    return isTaken
      ? [{ path: [...path, 'topic'], message: 'is the topic of another supply temperature' }]
      : supplyFaults(each, path)
  })
}

function supplyFaults(file: FileSupply, path: (string | number)[]): Fault[] {
  const faults: Fault[] = []
  const at = (name: string, message: string) => faults.push({ path: [...path, name], message })
  const { min_c = LEAST_C, max_c, fallback_c, payload, fallback_curve: curve } = file
  if (min_c > max_c) at('min_c', `is above max_c (${max_c})`)
  if (fallback_c < min_c || fallback_c > max_c)
    at('fallback_c', `must be between min_c (${min_c}) and max_c (${max_c})`)
  if (payload !== undefined && !payload.includes('{value}')) at('payload', 'must contain {value}, the temperature')
  if (curve && (curve.outdoor.sensor === undefined) === (curve.outdoor.topic === undefined))
    at('fallback_curve', 'needs an outdoor sensor or topic, one of the two')
  if (curve && curve.cold.outdoor_c >= curve.mild.outdoor_c)
    at('fallback_curve', 'cold.outdoor_c must be below mild.outdoor_c')
  return faults
}
