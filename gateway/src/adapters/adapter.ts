import { MAX_PLAUSIBLE_C, MIN_PLAUSIBLE_C, normaliseSensorId, SENSOR_ID_PATTERN } from '@hypocaust/domain'

export interface DeviceMessage {
  topic: string
  payload: Uint8Array
  retained: boolean
  nowMs: number
}

/** One measurement as an adapter understood it. Null where that kind of sensor does not tell. */
export interface Heard {
  id: string
  temperature: number
  humidity: number | null
  batt: number | null
  rssi: number | null
  measuredMs: number
}

export interface Adapter {
  readonly subscriptions: readonly string[]
  read(message: DeviceMessage): Heard[]
}

interface Claimed {
  id: unknown
  temperature: unknown
  humidity?: unknown
  batt?: unknown
  rssi?: unknown
}

const idForm = new RegExp(SENSOR_ID_PATTERN)

/** What a device claims, as a reading; nothing when the id is out of form or no room can be that warm or cold. */
export function heard(claimed: Claimed, measuredMs: number): Heard[] {
  const { id, temperature } = claimed
  if (typeof id !== 'string' || !idForm.test(id)) return []
  if (!isNumber(temperature) || temperature < MIN_PLAUSIBLE_C || temperature > MAX_PLAUSIBLE_C) return []
  return [
    {
      id: normaliseSensorId(id),
      temperature: round(temperature, 100),
      humidity: within(claimed.humidity, 0, 100),
      batt: isNumber(claimed.batt) ? Math.round(Math.min(100, Math.max(0, claimed.batt))) : null,
      rssi: within(claimed.rssi, -200, 100),
      measuredMs,
    },
  ]
}

/** `0x00158d0001a2b3c4` or `a4c1388bb3af` as colon-separated pairs. */
export function pairsOf(hex: unknown): string | undefined {
  if (typeof hex !== 'string') return undefined
  const digits = hex.replace(/^0x/i, '')
  if (!/^(?:[0-9a-f]{2}){2,16}$/i.test(digits)) return undefined
  return digits.toLowerCase().replace(/..(?=.)/g, '$&:')
}

/** MQTT's own topic matching: `+` is one level, `#` the rest. */
export function topicMatches(pattern: string, topic: string): boolean {
  const want = pattern.split('/')
  const have = topic.split('/')
  for (const [i, level] of want.entries()) {
    if (level === '#') return true
    if (i >= have.length || (level !== '+' && level !== have[i])) return false
  }
  return want.length === have.length
}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

export const round = (value: number, steps: number): number => Math.round(value * steps) / steps

function within(value: unknown, low: number, high: number): number | null {
  return isNumber(value) && value >= low && value <= high ? round(value, 100) : null
}
