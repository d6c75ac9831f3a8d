import type { AppBuilding, AppLoops, GatewayEntry, ReportedContact } from '@hypocaust/domain'
import { BATTERY_LOW_PCT } from '@hypocaust/domain/facts'
import { hasSensorWithoutReading, readingsOf } from '../room/sensors.ts'

/** All that a record of a building is made of. */
export interface Installed {
  building: AppBuilding
  gateways: GatewayEntry[]
  contacts: ReportedContact[]
  loops: AppLoops['loops']
}

type Loop = Pick<AppLoops['loops'][number], 'gateway_id' | 'channel'>

export const CHECKS = ['gateways', 'rooms', 'sensors', 'loops', 'tested', 'relays', 'batteries'] as const
export type Check = (typeof CHECKS)[number]

/** What commissioning asks for, each with the names of what is still missing. */
export function missingOf(installed: Installed, loopName: (loop: Loop) => string): Record<Check, string[]> {
  const { building, gateways, loops } = installed
  const names = (things: { name: string }[]) => things.map(({ name }) => name)
  return {
    gateways: gateways.length === 0 ? ['–'] : names(gateways.filter(({ last_seen }) => last_seen === null)),
    rooms: building.rooms.length === 0 ? ['–'] : [],
    sensors: names(building.rooms.filter(hasSensorWithoutReading)),
    loops: names(building.rooms.filter(({ valves }) => valves.length === 0)),
    tested: untested(loops).map(loopName),
    relays: unsafeRelays(gateways, loops).map(loopName),
    batteries: batteriesOf(installed)
      .filter(({ percent }) => percent <= BATTERY_LOW_PCT)
      .map(({ name }) => name),
  }
}

/** Loops of rooms that nobody has confirmed to warm them. */
export const untested = (loops: AppLoops['loops']): AppLoops['loops'] =>
  loops.filter(({ room_id, tested }) => room_id !== null && tested === null)

/** Relays of rooms that might stay on when no command comes any more: none has been proven to switch off by itself. */
function unsafeRelays(gateways: GatewayEntry[], loops: AppLoops['loops']): Loop[] {
  return loops.filter(({ gateway_id, channel, room_id }) => {
    const relay = gateways.find(({ id }) => id === gateway_id)?.relays.find((each) => each.channel === channel)
    return room_id !== null && relay?.auto_off !== 'proven'
  })
}

export interface Battery {
  id: string
  name: string
  percent: number
  timestamp: string
}

/** The emptiest first. */
export function batteriesOf({ building, contacts }: Pick<Installed, 'building' | 'contacts'>): Battery[] {
  const ofRooms = building.rooms.flatMap((room) =>
    readingsOf(room).flatMap(({ id, batt, timestamp }) =>
      batt === null ? [] : [{ id, name: room.name, percent: batt, timestamp }],
    ),
  )
  const ofContacts = contacts.flatMap(({ id, batt, timestamp, room_id }) => {
    const name = building.rooms.find((room) => room.id === room_id)?.name ?? id
    return batt === null ? [] : [{ id, name, percent: batt, timestamp }]
  })
  return [...ofRooms, ...ofContacts].toSorted((a, b) => a.percent - b.percent)
}
