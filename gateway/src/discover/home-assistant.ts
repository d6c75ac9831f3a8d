import type { DeviceMessage } from '../adapters/adapter.ts'
import { isObject, type JsonObject, parseObject } from '../base/json.ts'

/** An entity that a bridge announces to Home Assistant by MQTT discovery, its abbreviations written out. */
export interface Entity {
  component: Component
  /** Tells it from all others of the broker. */
  key: string
  name: string
  /** The device it belongs to; empty where none is named. */
  device: string
  model: string | null
  fields: JsonObject
}

const COMPONENTS = ['sensor', 'binary_sensor', 'climate', 'switch', 'number', 'valve'] as const
type Component = (typeof COMPONENTS)[number]

const ABBREVIATIONS: Record<string, string> = {
  stat_t: 'state_topic',
  val_tpl: 'value_template',
  unit_of_meas: 'unit_of_measurement',
  dev_cla: 'device_class',
  ent_cat: 'entity_category',
  cmd_t: 'command_topic',
  cmd_tpl: 'command_template',
  pl_on: 'payload_on',
  pl_off: 'payload_off',
  stat_on: 'state_on',
  stat_off: 'state_off',
  pl_open: 'payload_open',
  pl_cls: 'payload_close',
  stat_open: 'state_open',
  stat_clsd: 'state_closed',
  pos: 'reports_position',
  curr_temp_t: 'current_temperature_topic',
  curr_temp_tpl: 'current_temperature_template',
  temp_unit: 'temperature_unit',
  cmps: 'components',
  p: 'platform',
  dev: 'device',
  ids: 'identifiers',
  mdl: 'model',
}

/** `<prefix>/<component>/[<node>/]<object>/config`, or `<prefix>/device/<id>/config` with several components. */
const CONFIG = /^.+?\/(sensor|binary_sensor|climate|switch|number|valve|device)\/(?:[^/]+\/)?([^/]+)\/config$/

export function entitiesIn({ topic, payload }: DeviceMessage): Entity[] {
  const [, component, object = ''] = CONFIG.exec(topic) ?? []
  const said = component === undefined ? undefined : parseObject(payload)
  if (!said) return []
  const { components, device, ...fields } = writtenOut(said)
  const parts = isObject(components) ? Object.entries(components) : [[object, { platform: component }] as const]
  const owner = writtenOut(isObject(device) ? device : {})
  return parts.flatMap(([id, part]) => {
    const own = { ...fields, ...writtenOut(isObject(part) ? part : {}) }
    const kind = COMPONENTS.find((each) => each === own.platform)
    if (!kind) return []
    const name = textOf(own.name) ?? id
    return [
      {
        component: kind,
        key: `${topic} ${id}`,
        name,
        device: textOf(owner.name) ?? textOf([owner.identifiers].flat()[0]) ?? '',
        model: textOf(owner.model),
        fields: own,
      },
    ]
  })
}

/** Full names of fields, and topics with their base, which `~` stands for. */
function writtenOut(said: JsonObject): JsonObject {
  const base = textOf(said['~'])
  return Object.fromEntries(
    Object.entries(said).map(([short, value]) => {
      const name = ABBREVIATIONS[short] ?? short
      const isTopic = base !== null && name.endsWith('_topic') && typeof value === 'string'
      return [name, isTopic ? value.replace(/^~|~$/, base) : value]
    }),
  )
}

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const FILTERS = String.raw`(?:\s*\|\s*(?:float|int|round|is_defined|default)(?:\s*\([^()]*\))?)*`
const VALUE = new RegExp(
  String.raw`^\{\{-?\s*value(_json)?((?:\.\w+|\[\d+\]|\['[^']*'\]|\["[^"]*"\])*)${FILTERS}\s*-?\}\}$`,
)

/** The path that a simple template reads; null for a template that computes. */
export function pathOf(template: unknown): string | null {
  if (template === undefined) return '.'
  const match = typeof template === 'string' ? VALUE.exec(template.trim()) : null
  if (!match) return null
  const [, json, path = ''] = match
  if (json === undefined || path === '') return path === '' ? '.' : null
  return path.replace(/^\./, '').replaceAll("['", '["').replaceAll("']", '"]')
}

const SENT = new RegExp(String.raw`\{\{-?\s*value${FILTERS}\s*-?\}\}`, 'g')

/** The payload that a simple template sends, with `{value}` for the value; null for a template that computes. */
export function payloadOf(template: unknown): string | null {
  if (template === undefined) return '{value}'
  if (typeof template !== 'string') return null
  const payload = template.replace(SENT, '{value}')
  return /\{\{|\{%/.test(payload) || !payload.includes('{value}') ? null : payload
}
