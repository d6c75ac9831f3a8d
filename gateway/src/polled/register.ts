/** The four tables of a Modbus device: two of bits, two of words; coils and holding registers can be written. */
export const TABLES = ['coil', 'discrete', 'input', 'holding'] as const
export type Table = (typeof TABLES)[number]

export const WORD_TYPES = ['int16', 'uint16', 'int32', 'uint32', 'float32'] as const
export type WordType = (typeof WORD_TYPES)[number]

/** One value of a device: where it is, and what its number means. */
export interface Register {
  table: Table
  /** As it goes over the wire, counted from 0. */
  address: number
  /** Of no meaning in a table of bits. */
  type: WordType
  isLowWordFirst: boolean
  /** The value is this bit of the word, from 0. */
  bit: number | null
  scale: number
  offset: number
  /** Numbers of the device that mean that there is no value. */
  none: readonly number[]
  /** Null where it is only read. */
  write: { min: number; max: number } | null
}

export type Written = { ok: true; words: number[] } | { ok: false; why: string }

const isBits = ({ table }: Pick<Register, 'table'>): boolean => table === 'coil' || table === 'discrete'

export const wordsOf = (register: Register): number => (isBits(register) || register.type.endsWith('16') ? 1 : 2)

/** What the device says, as the text of a message; undefined where it says that there is no value. */
export function textOfWords(register: Register, words: readonly number[]): string | undefined {
  if (isBits(register)) return words[0] === 1 ? 'ON' : 'OFF'
  const raw = rawOf(register, words)
  if (register.none.includes(raw) || !Number.isFinite(raw)) return undefined
  if (register.bit !== null) return Math.floor(raw / 2 ** register.bit) % 2 !== 0 ? 'ON' : 'OFF'
  return String(Number((raw * register.scale + register.offset).toFixed(6)))
}

/** What is to be written so that the device has the value of the text. */
export function wordsOfText(register: Register, text: string): Written {
  const { write, scale, offset, type } = register
  const value = numberOf(text)
  if (!write) return { ok: false, why: 'it can only be read' }
  if (value === undefined) return { ok: false, why: `${JSON.stringify(text)} is no number` }
  if (value < write.min || value > write.max)
    return { ok: false, why: `${value} is not within ${write.min} and ${write.max}` }
  if (isBits(register)) return { ok: true, words: [value === 0 ? 0 : 1] }
  const exact = (value - offset) / scale
  const raw = type === 'float32' ? exact : Math.round(exact)
  const [least, most] = RANGES[type]
  return raw < least || raw > most
    ? { ok: false, why: `${value} does not fit into ${type}` }
    : { ok: true, words: wordsOfRaw(register, raw) }
}

const RANGES: Record<WordType, [number, number]> = {
  int16: [-32_768, 32_767],
  uint16: [0, 65_535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  float32: [-3.4e38, 3.4e38],
}

function numberOf(text: string): number | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'on' || word === 'true') return 1
  if (word === 'off' || word === 'false') return 0
  const value = Number(word)
  return word === '' || !Number.isFinite(value) ? undefined : value
}

function rawOf({ type, isLowWordFirst }: Register, words: readonly number[]): number {
  const view = new DataView(new ArrayBuffer(4))
  if (type.endsWith('16')) {
    view.setUint16(0, words[0] ?? 0)
    return type === 'int16' ? view.getInt16(0) : view.getUint16(0)
  }
  const [first = 0, second = 0] = words
  view.setUint16(isLowWordFirst ? 2 : 0, first)
  view.setUint16(isLowWordFirst ? 0 : 2, second)
  if (type === 'float32') return view.getFloat32(0)
  return type === 'int32' ? view.getInt32(0) : view.getUint32(0)
}

function wordsOfRaw({ type, isLowWordFirst }: Register, raw: number): number[] {
  const view = new DataView(new ArrayBuffer(4))
  if (type.endsWith('16')) {
    view.setInt16(0, raw)
    return [view.getUint16(0)]
  }
  if (type === 'float32') view.setFloat32(0, raw)
  else view.setInt32(0, raw)
  const words = [view.getUint16(0), view.getUint16(2)]
  return isLowWordFirst ? words.reverse() : words
}

/** Some devices refuse a request for more. */
const MOST_IN_A_REQUEST = 64

export interface Block {
  table: Table
  address: number
  count: number
  values: { name: string; register: Register }[]
}

/** Values that lie side by side are read together; what lies between others is never asked for. */
export function blocksOf(values: readonly { name: string; register: Register }[]): Block[] {
  const sorted = values.toSorted(
    ({ register: a }, { register: b }) => TABLES.indexOf(a.table) - TABLES.indexOf(b.table) || a.address - b.address,
  )
  const blocks: Block[] = []
  for (const value of sorted) {
    const { table, address } = value.register
    const last = blocks.at(-1)
    const end = address + wordsOf(value.register)
    if (last?.table === table && address <= last.address + last.count && end - last.address <= MOST_IN_A_REQUEST) {
      last.count = Math.max(last.count, end - last.address)
      last.values.push(value)
    } else blocks.push({ table, address, count: end - address, values: [value] })
  }
  return blocks
}
