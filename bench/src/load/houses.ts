import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A building of the load: what it is and how often it speaks. */
export const ROOMS = 4
export const MESSAGES_PER_MINUTE = 1
export const POLLS_PER_MINUTE = 2

export interface House {
  accountId: string
  buildingId: string
  gatewayId: string
  gatewayToken: string
  roomIds: string[]
  sensorIds: string[]
  /** May write. */
  key: string
}

const START_MS = Date.UTC(2026, 0, 1)
const FLOORS = ['screed', 'dry', 'timber', 'electric']

export function houseOf(i: number, roomCount = ROOMS): House {
  const rooms = Array.from({ length: roomCount }, (_, room) => i * roomCount + room)
  return {
    accountId: `load-${i}`,
    buildingId: uuid(1, i),
    gatewayId: uuid(2, i),
    gatewayToken: secret('hypg_', i),
    roomIds: rooms.map((room) => uuid(3, room)),
    sensorIds: rooms.map(sensorId),
    key: secret('hyp_', i),
  }
}

type Row = Record<string, string | number | boolean | null>

/** Everything the database holds of some houses, by table, in the order in which one may refer to another. */
export function rowsOf(houses: House[], first: number): [table: string, rows: Row[]][] {
  const numbered = houses.map((house, i) => ({ ...house, i: first + i }))
  const created = { created_at: START_MS }
  const joined = new Date(START_MS).toISOString()
  return [
    [
      'user',
      numbered.map(({ accountId }) => ({
        id: accountId,
        name: accountId,
        email: `${accountId}@example.org`,
        emailVerified: true,
        createdAt: joined,
        updatedAt: joined,
      })),
    ],
    [
      'buildings',
      numbered.map(({ buildingId, accountId, i }) => ({
        id: buildingId,
        account_id: accountId,
        key: 'home',
        name: `Building ${i}`,
        lat: 47 + (i % 80) / 10,
        lng: 6 + (i % 90) / 10,
        timezone: 'Europe/Berlin',
        controlled_at: Date.now(),
        ...created,
      })),
    ],
    [
      'members',
      numbered.map(({ buildingId, accountId }) => ({
        building_id: buildingId,
        account_id: accountId,
        role: 'owner',
        ...created,
      })),
    ],
    [
      'gateways',
      numbered.map(({ gatewayId, buildingId, gatewayToken }) => ({
        id: gatewayId,
        building_id: buildingId,
        key: 'cellar',
        name: 'cellar',
        token_hash: sha256(gatewayToken),
        ...created,
      })),
    ],
    [
      'sensors',
      numbered.flatMap(({ sensorIds, buildingId }) =>
        sensorIds.map((id) => ({ id, address: id, building_id: buildingId, ...created })),
      ),
    ],
    [
      'rooms',
      numbered.flatMap(({ roomIds, sensorIds, buildingId }) =>
        roomIds.map((id, position) => ({
          id,
          building_id: buildingId,
          key: `room-${position}`,
          name: `Room ${position}`,
          position,
          floor_type: FLOORS[position % FLOORS.length] as string,
          sensor_id: sensorIds[position] as string,
          target_c: 21,
          preset_mode: 'none',
          manual_enabled: 0,
          manual_power: 0,
          comfort_band_k: 0.5,
          max_floor_c: 29,
          control_power: 0,
          ...created,
        })),
      ),
    ],
    [
      'valves',
      numbered.flatMap(({ roomIds, gatewayId }) =>
        roomIds.map((roomId, i) => ({ gateway_id: gatewayId, channel: i + 1, room_id: roomId })),
      ),
    ],
    [
      'api_keys',
      numbered.map(({ accountId, key, i }) => ({
        id: uuid(4, i),
        account_id: accountId,
        name: 'load',
        hash: sha256(key),
        hint: `hyp_…${key.slice(-4)}`,
        permission: 'write',
        ...created,
      })),
    ],
  ]
}

/** Old rows of the history, in the order of time as they would have come, `sensors` of them at each moment. */
export function readingRows(houses: House[], first: number, count: number): Row[] {
  const sensors = houses.flatMap(({ buildingId, sensorIds }) => sensorIds.map((id) => ({ buildingId, id })))
  return Array.from({ length: count }, (_, i) => {
    const sensor = sensors[(first + i) % sensors.length]
    const minute = Math.floor((first + i) / sensors.length)
    return {
      building_id: sensor?.buildingId ?? '',
      sensor_id: sensor?.id ?? '',
      measured_at: Date.now() - 86_400_000 + minute * 60_000,
      temperature_c: 20 + (i % 40) / 20,
      humidity_pct: 40 + (i % 20),
    }
  })
}

/** The service's record of messages it has taken in, one for each `ROOMS` readings. */
export function messageRows(houses: House[], first: number, count: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    gateway_id: houses[(first + i) % houses.length]?.gatewayId ?? '',
    boot: 'loadload',
    n: 1_000_000 + Math.floor((first + i) / houses.length),
    received_at: Date.now() - 86_400_000 + Math.floor((first + i) / houses.length) * 60_000,
  }))
}

const uuid = (kind: number, i: number): string => `019bb0f4-000${kind}-7000-8000-${i.toString(16).padStart(12, '0')}`

const sensorId = (i: number): string =>
  `10:ad:${i
    .toString(16)
    .padStart(8, '0')
    .replace(/..(?=.)/g, '$&:')}`

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** In the form of an API key or a gateway's token: 32 characters and a checksum. */
function secret(prefix: 'hyp_' | 'hypg_', i: number): string {
  const body = `${prefix}${`load${i}`.padEnd(32, 'x')}`
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return body + digits
}
