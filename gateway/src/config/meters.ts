import type { MeterSettings } from '../inputs/meters.ts'
import type { Fault } from './fault.ts'
import type { FileMeter } from './source-schema.ts'

const KWH_PER: Record<string, number> = { Wh: 0.001, kWh: 1, MWh: 1000, MJ: 1 / 3.6, GJ: 1000 / 3.6 }
const POWERS = ['W', 'kW', 'VA', 'kVA']

export function meterFaults(meters: FileMeter[]): Fault[] {
  return meters.flatMap(({ unit }, i) => {
    if (unit in KWH_PER) return []
    const path = ['meters', i, 'unit']
    if (POWERS.includes(unit))
      return [{ path, message: `${unit} is a unit of power; a meter needs a counter of energy: ${unitsText()}` }]
    return [{ path, message: `must be one of: ${unitsText()}` }]
  })
}

export const metersOf = (meters: FileMeter[]): MeterSettings[] =>
  meters.map(({ kind, topic, path, unit }) => ({ kind, topic, path: path ?? null, kwhPerUnit: KWH_PER[unit] ?? 1 }))

const unitsText = (): string => Object.keys(KWH_PER).join(', ')
