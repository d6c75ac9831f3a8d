import { parseJson, textOf } from '../base/json.ts'
import { derivedId } from '../base/sensor-id.ts'
import {
  type Adapter,
  celsiusOf,
  heard,
  ignored,
  isUnsureCelsius,
  type Understood,
  understood,
  unsureCelsius,
} from './adapter.ts'
import { namesTemperature, notARoom, notARoomThermostat } from './not-a-room.ts'
import { unitIn } from './rule.ts'

/** What is known of an entity from the attributes heard so far. */
interface Entity {
  unit: string | undefined
  deviceClass: string | undefined
}

const MOST_ENTITIES = 20_000
const LONGEST_PAYLOAD = 200
const OPENINGS = new Set(['window', 'door', 'opening'])

/**
 * Entities with a topic each and a bare value: ESPHome's `<prefix>/sensor/<object>/state` and Home Assistant's
 * `<base>/sensor/<object>/state` with attributes beside it. Names and device classes tell what is a room.
 */
export function entities({ base }: { base: string }): Adapter {
  const known = new Map<string, Entity>()
  const levels = base.split('/').length

  const entityOf = (place: string): Entity => {
    const entity = known.get(place) ?? { unit: undefined, deviceClass: undefined }
    if (known.size >= MOST_ENTITIES) known.clear()
    known.set(place, entity)
    return entity
  }

  return {
    subscriptions: ['sensor', 'climate', 'binary_sensor'].flatMap((domain) => [
      `${base}/${domain}/+/+`,
      `${base}/${domain}/+/+/state`,
    ]),
    understand({ topic, payload }) {
      const parts = topic.split('/')
      const [domain = '', object = '', property = ''] = parts.slice(levels)
      const place = parts.slice(0, levels + 2).join('/')
      const value = payload.length <= LONGEST_PAYLOAD ? (parseJson(payload) ?? textOf(payload)) : undefined
      if (value === undefined || value === '') return ignored('empty, or too long for a value')
      const entity = entityOf(place)
      if (property === 'unit_of_measurement') entity.unit = String(value)
      if (property === 'device_class') entity.deviceClass = String(value)
      const meant = { place, object, entity, value: numberIn(value) }
      if (domain === 'sensor' && property === 'state') return sensorMeans(meant)
      if (domain === 'climate' && property === 'current_temperature') return climateMeans(meant)
      if (domain === 'binary_sensor' && property === 'state') return contactMeans(meant)
      return ignored(`${property} is not a measured room temperature`)
    },
  }
}

interface Meant {
  place: string
  object: string
  entity: Entity
  value: unknown
}

function sensorMeans(meant: Meant): Understood {
  const { object, entity } = meant
  if (entity.deviceClass !== undefined && entity.deviceClass !== 'temperature')
    return ignored(`a ${entity.deviceClass}`)
  if (entity.unit !== undefined && !unitIn(entity.unit)) return ignored(`measured in ${entity.unit}`)
  const known = entity.deviceClass === 'temperature' || entity.unit !== undefined
  if (!known && !namesTemperature(object)) return ignored('neither its name nor an attribute says temperature')
  const against = notARoom(object)
  return against ? ignored(against) : measured(meant)
}

function climateMeans(meant: Meant): Understood {
  const against = notARoomThermostat(meant.object)
  return against ? ignored(against) : measured(meant)
}

function measured({ place, entity, value }: Meant): Understood {
  const unit = unitIn(entity.unit)
  if (unit === undefined && isUnsureCelsius(value))
    return ignored(`${unsureCelsius(value)}; map it under sensors.mqtt with its unit`)
  return heard({ id: derivedId(place), name: place, temperature: celsiusOf(value, unit ?? 'C') })
}

function contactMeans({ place, object, entity, value }: Meant): Understood {
  const opening =
    OPENINGS.has(entity.deviceClass ?? '') || (!entity.deviceClass && /window|door|contact|fenster|tuer/i.test(object))
  const open = /^(?:on|true|open)$/i.test(String(value))
  if (!opening) return ignored('neither its name nor an attribute says window or door')
  if (!open && !/^(?:off|false|closed)$/i.test(String(value)))
    return ignored(`${String(value)} is neither open nor closed`)
  const contact = { id: derivedId(place), name: place, open, batt: null, rssi: null, measuredMs: null }
  return understood({ contacts: [contact] })
}

/** Bare values are text. */
const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && /^[-+]?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
