const PLATFORM = 'hypocaust'
/** Under these the setpoint is only what the room returns to. */
const NOT_HEATED = ['off', 'manual', 'frost']

const nameOf = (device) => device?.name_by_user || device?.name || ''

/** The rooms that the registries know, by name: the device of each, and its entities that the card shows. */
export function registeredRooms({ entities, devices }, buildingId, language) {
  const rooms = new Map()
  for (const { entity_id, platform, device_id, translation_key, hidden } of Object.values(entities)) {
    if (platform !== PLATFORM || !device_id) continue
    const room = rooms.get(device_id) ?? {}
    rooms.set(device_id, room)
    if (entity_id.startsWith('climate.') && !hidden) room.climate = entity_id
    else if (translation_key === 'setpoint' || translation_key === 'doing') room[translation_key] = entity_id
  }
  return [...rooms]
    .map(([id, room]) => ({ ...room, name: nameOf(devices[id]), buildingId: devices[id]?.via_device_id ?? null }))
    .filter((room) => room.climate && (!buildingId || room.buildingId === buildingId))
    .sort((a, b) => a.name.localeCompare(b.name, language, { numeric: true }))
}

/** The building of all rooms, where it is one. */
export function buildingName({ devices }, rooms) {
  const ids = new Set(rooms.map((room) => room.buildingId))
  return ids.size === 1 ? nameOf(devices[[...ids][0]]) : ''
}

/** A room as it is now; a value that nobody reports is null. */
export function roomNow({ states }, { climate, setpoint, doing, name }) {
  const thermostat = states[climate]
  const wish = known(states[setpoint])
  const { reason = null, until = null, next_setpoint: next = null } = wish?.attributes ?? {}
  const isHeated = known(thermostat) && thermostat.state !== 'off' && !NOT_HEATED.includes(reason)
  return {
    name,
    thermostat,
    activity: known(states[doing]),
    current: thermostat?.attributes.current_temperature ?? null,
    setpoint: isHeated ? (thermostat.attributes.temperature ?? null) : null,
    isActive: ['heating', 'cooling'].includes(thermostat?.attributes.hvac_action),
    reason: NOT_HEATED.includes(reason) ? null : reason,
    until,
    next,
  }
}

const known = (state) => (state && !['unavailable', 'unknown'].includes(state.state) ? state : undefined)
