/** What the agent takes from a BTHome object. */
export interface BthomeValues {
  temperature?: number
  humidity?: number
  batt?: number
  open?: boolean
  /** Soil moisture, or water on the floor. */
  wet?: true
}

/** Why a device that detects moisture measures no room. */
export const OF_WHAT_IS_WET = 'it lies in soil, on a floor or beside a pipe, not in the air of a room'

type Take = (at: DataView) => BthomeValues

const wet: Take = () => ({ wet: true })

const opened: Take = (at) => ({ open: at.getUint8(0) !== 0 })

const TAKEN: Readonly<Record<number, Take>> = {
  1: (at) => ({ batt: at.getUint8(0) }),
  2: (at) => ({ temperature: at.getInt16(0, true) / 100 }),
  3: (at) => ({ humidity: at.getUint16(0, true) / 100 }),
  17: opened,
  20: wet,
  26: opened,
  32: wet,
  45: opened,
  46: (at) => ({ humidity: at.getUint8(0) }),
  47: wet,
  69: (at) => ({ temperature: at.getInt16(0, true) / 10 }),
  87: (at) => ({ temperature: at.getInt8(0) }),
  88: (at) => ({ temperature: (at.getInt8(0) * 35) / 100 }),
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** The objects of each length; 0x53 and 0x54, text and raw, carry their length in the next byte. */
const LENGTHS: readonly [number, readonly number[]][] = [
  [1, [0x00, 0x01, 0x09, ...range(0x0f, 0x11), ...range(0x15, 0x2f), 0x3a, 0x46, ...range(0x57, 0x59), 0x60, 0x64]],
  [
    2,
    [
      ...[0x02, 0x03, 0x06, 0x07, 0x08, 0x0c, 0x0d, 0x0e, 0x12, 0x13, 0x14, 0x3c, 0x3d, 0x3f, 0x40, 0x41],
      ...[...range(0x43, 0x45), ...range(0x47, 0x4a), 0x51, 0x52, 0x56, 0x5a, ...range(0x5d, 0x5f), 0x61],
    ],
  ],
  [3, [0x04, 0x05, 0x0a, 0x0b, 0x42, 0x4b]],
  [4, [0x3e, ...range(0x4c, 0x50), 0x55, 0x5b, 0x5c, 0x62, 0x63]],
]

const LENGTH = new Map(LENGTHS.flatMap(([bytes, ids]) => ids.map((id) => [id, bytes] as const)))
const LENGTH_FOLLOWS = new Set([0x53, 0x54])

/** Whether an object of that number is the temperature or humidity of the air. */
export const objectKind = (id: number): 'temperature' | 'humidity' | 'battery' | 'contact' | 'wet' | 'other' => {
  if ([2, 69, 87, 88].includes(id)) return 'temperature'
  if (id === 3 || id === 46) return 'humidity'
  if (id === 1) return 'battery'
  if ([20, 32, 47].includes(id)) return 'wet'
  return [17, 26, 45].includes(id) ? 'contact' : 'other'
}

/** The first of each kind counts: a second temperature is a second probe on the same device. */
export function objectsIn(body: Uint8Array): BthomeValues {
  const values: BthomeValues = {}
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  for (let at = 0; at < body.length; ) {
    const id = view.getUint8(at)
    const start = at + (LENGTH_FOLLOWS.has(id) ? 2 : 1)
    const bytes = LENGTH_FOLLOWS.has(id) ? body[at + 1] : LENGTH.get(id)
    if (bytes === undefined || start + bytes > body.length) break
    const taken = TAKEN[id]?.(new DataView(body.buffer, body.byteOffset + start, bytes))
    Object.assign(values, { ...taken, ...values })
    at = start + bytes
  }
  return values
}
