const CLIMATE = 'climate.'

export interface CardRoom {
  name: string
  current?: number | null
  setpoint?: number
  state?: string
  action?: string
  doing?: string
  reason?: string
  until?: string | null
  next?: number | null
}

const slug = (name: string) => name.toLowerCase().replaceAll(/\W+/g, '_')
export const climateOf = (name: string): string => CLIMATE + slug(name)

/** Registries and states of Home Assistant with these rooms in them, and an entity of somebody else. */
export function houseOf(rooms: CardRoom[], building = 'Lakeside 12') {
  const entities: Record<string, object> = {
    'climate.other': { entity_id: 'climate.other', platform: 'demo', device_id: 'other' },
  }
  const devices: Record<string, object> = {
    other: { id: 'other', name: 'Somebody else’s', via_device_id: null },
    building: { id: 'building', name: building, name_by_user: null, via_device_id: null },
  }
  const states: Record<string, object> = {
    'climate.other': { entity_id: 'climate.other', state: 'heat', attributes: {} },
  }
  for (const room of rooms) {
    const id = slug(room.name)
    const { current = 21.4, setpoint = 22, state = 'heat', action = 'idle', doing = 'warm_enough' } = room
    const { reason = 'programme', until = null, next = null } = room
    devices[id] = { id, name: room.name, name_by_user: null, via_device_id: 'building' }
    const add = (entity_id: string, translation_key: string, value: string, attributes: object) => {
      entities[entity_id] = { entity_id, platform: 'hypocaust', device_id: id, translation_key }
      states[entity_id] = { entity_id, state: value, attributes }
    }
    add(climateOf(room.name), 'room', state, {
      current_temperature: current,
      temperature: setpoint,
      hvac_action: action,
    })
    add(`sensor.${id}_setpoint`, 'setpoint', String(setpoint), { reason, until, next_setpoint: next })
    add(`sensor.${id}_doing`, 'doing', doing, {})
  }
  return {
    entities,
    devices,
    states,
    language: 'en',
    locale: { language: 'en', number_format: 'language', time_format: '24' },
    config: { time_zone: 'Europe/Oslo' },
  }
}

/** A day of Oslo in winter with a lowered night. */
export const DAY = {
  start: '2026-01-10T00:00:00+01:00',
  end: '2026-01-11T00:00:00+01:00',
  plan: [
    { start: '2026-01-09T23:00:00+00:00', end: '2026-01-10T04:30:00+00:00', temperature: 19 },
    { start: '2026-01-10T04:30:00+00:00', end: '2026-01-10T21:00:00+00:00', temperature: 22 },
    { start: '2026-01-10T21:00:00+00:00', end: '2026-01-10T23:00:00+00:00', temperature: 19 },
  ],
}

export const planFor = (rooms: CardRoom[], day: object = DAY): Record<string, object> =>
  Object.fromEntries(rooms.map(({ name }) => [climateOf(name), day]))
