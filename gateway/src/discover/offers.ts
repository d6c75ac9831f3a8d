import { notARoom, notARoomThermostat } from '../adapters/not-a-room.ts'
import { unitIn } from '../adapters/rule.ts'
import { type Entity, pathOf, payloadOf, textOf } from './home-assistant.ts'

/** An entry of gateway.yaml that a person may take over, and what it is. */
export interface Offer {
  entry: Record<string, unknown>
  about: string
}

export interface Offers {
  sensors: Offer[]
  channels: Offer[]
}

interface Value {
  entity: Entity
  topic: string
  path: string
}

/** A number is offered as an actuator only if its name says so: most numbers are settings. */
const ACTUATOR = /valve|position|opening|actuator|ventil|stellantrieb|stellung/i
const SCALES = [1, 10, 100, 255]

/** What bridges have announced to Home Assistant, as mappings of sensors and channels. */
export function offersOf(entities: readonly Entity[], isKnown: (topic: string) => boolean): Offers {
  const values = entities.flatMap(reportedBy).filter(({ topic }) => !isKnown(topic))
  const wet = entities.filter(({ device, fields }) => device !== '' && fields.device_class === 'moisture')
  const rooms = values.filter(({ entity }) => isRoom(entity) && !wet.some(({ device }) => device === entity.device))
  return {
    sensors: rooms.flatMap((room) => sensorOffers(room, values)),
    channels: entities.flatMap((entity) => channelOffer(entity, isKnown)),
  }
}

function reportedBy(entity: Entity): Value[] {
  const { component, fields } = entity
  const prefix = component === 'climate' ? 'current_temperature' : 'state'
  const topic = textOf(fields[`${prefix}_topic`])
  const path = pathOf(component === 'climate' ? fields.current_temperature_template : fields.value_template)
  return (component === 'sensor' || component === 'climate') && topic !== null && path !== null
    ? [{ entity, topic, path }]
    : []
}

function isRoom({ component, name, device, fields }: Entity): boolean {
  const isTemperature = component === 'climate' || fields.device_class === 'temperature'
  if (!isTemperature || fields.entity_category !== undefined) return false
  return (component === 'climate' ? notARoomThermostat(device) : notARoom(`${device} ${name}`)) === undefined
}

/** The temperature with humidity and battery of its device; those of another topic are entries of the same sensor. */
function sensorOffers({ entity, topic, path }: Value, values: readonly Value[]): Offer[] {
  const { device, name, model, fields } = entity
  const sensor = nameOf(device === '' || name.startsWith(device) ? name : device)
  const unit = unitIn(fields.unit_of_measurement ?? fields.temperature_unit)
  const beside = (kind: string) =>
    device === ''
      ? undefined
      : values.find((each) => each.entity.device === device && each.entity.fields.device_class === kind)
  const companions = ['humidity', 'battery'].flatMap((kind) => {
    const value = beside(kind)
    return value ? [{ kind, ...value }] : []
  })
  const same = companions.filter((each) => each.topic === topic)
  const entry = {
    sensor,
    topic,
    ...((path !== '.' || same.length > 0) && { temperature: path }),
    ...Object.fromEntries(same.map((each) => [each.kind, each.path])),
    ...(unit && { unit }),
  }
  const about = [`${device} ${name}`.trim(), model].filter((part) => part !== null).join(', ')
  return [
    { entry, about },
    ...companions
      .filter((each) => each.topic !== topic)
      .map((each) => ({ entry: { sensor, topic: each.topic, [each.kind]: each.path }, about: `its ${each.kind}` })),
  ]
}

/** As a sensor may be named in gateway.yaml. */
const nameOf = (text: string): string =>
  text
    .replace(/[:/+#]/g, ' ')
    .trim()
    .slice(0, 64)

function channelOffer(entity: Entity, isKnown: (topic: string) => boolean): Offer[] {
  const { component, name, device, model, fields } = entity
  const topic = textOf(fields.command_topic)
  if (topic === null || isKnown(topic)) return []
  const set = component === 'switch' ? switchSet(entity, topic) : positionSet(entity, topic)
  if (!set) return []
  const stateTopic = textOf(fields.state_topic)
  const path = pathOf(fields.value_template)
  const state = stateTopic !== null &&
    path !== null && { topic: stateTopic, ...(path !== '.' && { path }), ...set.state }
  const label = `${device} ${name}`.trim()
  return [
    {
      entry: { name: label, driver: 'mqtt', set: set.set, ...(state && { state }) },
      about: [label, model, `${component} of Home Assistant`, 'auto-off unknown']
        .filter((part) => part !== null)
        .join(', '),
    },
  ]
}

interface SetAndState {
  set: Record<string, unknown>
  state: Record<string, unknown>
}

function switchSet({ fields }: Entity, topic: string): SetAndState {
  const on = wordOf(fields.payload_on, 'ON')
  const off = wordOf(fields.payload_off, 'OFF')
  return { set: { topic, on, off }, state: { on: wordOf(fields.state_on, on), off: wordOf(fields.state_off, off) } }
}

function positionSet({ component, name, device, fields }: Entity, topic: string): SetAndState | null {
  if (component === 'valve' && fields.reports_position !== true) {
    const set = { topic, on: wordOf(fields.payload_open, 'OPEN'), off: wordOf(fields.payload_close, 'CLOSE') }
    return { set, state: { on: wordOf(fields.state_open, 'open'), off: wordOf(fields.state_closed, 'closed') } }
  }
  const payload = payloadOf(fields.command_template)
  const scale = component === 'valve' ? 100 : Number(fields.max ?? 100)
  const isActuator =
    component === 'valve' ||
    (component === 'number' &&
      ACTUATOR.test(`${device} ${name}`) &&
      SCALES.includes(scale) &&
      Number(fields.min ?? 0) === 0)
  if (!isActuator || payload === null) return null
  return {
    set: { topic, percent: true, ...(scale !== 100 && { scale }), ...(payload !== '{value}' && { payload }) },
    state: {},
  }
}

type Word = string | number | boolean

const wordOf = (value: unknown, usual: Word): Word =>
  typeof value === 'number' || typeof value === 'boolean' ? value : (textOf(value) ?? usual)
