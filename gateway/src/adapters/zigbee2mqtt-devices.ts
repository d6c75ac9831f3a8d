import { isObject, type JsonObject } from '../base/json.ts'
import { pairsOf } from '../base/sensor-id.ts'

/** What `bridge/devices` says of a device. */
export interface ZigbeeDevice {
  address: string
  /** Names of everything the device reports; undefined when the bridge does not know the model. */
  properties: ReadonlySet<string> | undefined
  /** Values that can be written: settings, not measurements. */
  settings: ReadonlySet<string>
  /** Values that the definition calls the temperature of a processor, a cable or soil. */
  notAir: ReadonlySet<string>
  description: string
}

const PROCESSOR = /\b(?:cpu|chip|internal|processor|soil|floor|wired|external|probe|water)\b/i

export function devicesIn(list: unknown): Map<string, ZigbeeDevice> | undefined {
  if (!Array.isArray(list)) return undefined
  const found = new Map<string, ZigbeeDevice>()
  for (const device of list) {
    if (!isObject(device) || typeof device.friendly_name !== 'string') continue
    const address = pairsOf(device.ieee_address)
    if (address) found.set(device.friendly_name, { address, ...definitionOf(device) })
  }
  return found
}

function definitionOf({ definition }: JsonObject): Omit<ZigbeeDevice, 'address'> {
  const unknown = { properties: undefined, settings: new Set<string>(), notAir: new Set<string>(), description: '' }
  if (!isObject(definition) || !Array.isArray(definition.exposes)) return unknown
  const features = definition.exposes.flatMap(featuresOf)
  const named = (keep: (feature: JsonObject) => boolean) =>
    new Set(features.filter(keep).map((f) => String(f.property)))
  return {
    properties: named((feature) => typeof feature.property === 'string'),
    settings: named(({ access }) => typeof access === 'number' && (access & 2) !== 0),
    notAir: named(({ description }) => PROCESSOR.test(String(description ?? ''))),
    description: typeof definition.description === 'string' ? definition.description : '',
  }
}

function featuresOf(expose: unknown): JsonObject[] {
  if (!isObject(expose)) return []
  if (!Array.isArray(expose.features) || expose.type === 'composite') return [expose]
  return expose.features.filter(isObject)
}
