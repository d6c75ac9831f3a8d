import { createHash } from 'node:crypto'
import { normaliseSensorId, SENSOR_ID_PATTERN } from '@hypocaust/domain'

const idForm = new RegExp(SENSOR_ID_PATTERN)

/** The pair behind a device's address that stands for its floor probe. */
const FLOOR_PAIR = 'f1'

export const isSensorId = (text: string): boolean => idForm.test(text)

/** `0x00158d0001a2b3c4`, `a4c1388bb3af` or `A4:C1:38:8B:B3:AF` as colon-separated pairs in lower case. */
export function pairsOf(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined
  if (isSensorId(address)) return normaliseSensorId(address)
  const digits = address.replace(/^0x/i, '')
  if (!/^(?:[0-9a-f]{2}){2,16}$/i.test(digits)) return undefined
  return digits.toLowerCase().replace(/..(?=.)/g, '$&:')
}

/**
 * The id of a sensor without an address, from its name or place: the first six bytes of its SHA-256, marked as locally
 * administered, so that it cannot be the address of a real device.
 */
export function derivedId(place: string): string {
  const bytes = createHash('sha256').update(place).digest().subarray(0, 6)
  bytes[0] = ((bytes[0] ?? 0) & 0xfc) | 0x02
  return bytes.toString('hex').replace(/..(?=.)/g, '$&:')
}

/** The id of a sensor as the configuration names it: an address stays what it is, a name becomes one. */
export const sensorIdOf = (nameOrId: string): string =>
  isSensorId(nameOrId) ? normaliseSensorId(nameOrId) : derivedId(nameOrId)

/** The second, third, … thermometer of one device. */
export function endpointId(id: string, endpoint: string): string {
  const number = Number(/\d+$/.exec(endpoint)?.[0])
  return number > 0 && number < 0xf0 ? `${id}:${number.toString(16).padStart(2, '0')}` : derivedId(`${id}/${endpoint}`)
}

export const floorId = (id: string): string => `${id}:${FLOOR_PAIR}`
