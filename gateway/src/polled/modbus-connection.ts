import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Table } from './register.ts'

const ANSWER_MS = 3_000
const HEADER = 7
/** Unit and what follows it, as the protocol has it. */
const LENGTHS = { least: 3, most: 254 }
const READS: Record<Table, number> = { coil: 1, discrete: 2, holding: 3, input: 4 }
const WRITE_COIL = 5
const WRITE_REGISTER = 6
const WRITE_REGISTERS = 16
const COIL_ON = 0xff00
const REFUSALS: Record<number, string> = {
  1: 'it does not know this kind of request',
  2: 'it has no such address',
  3: 'it does not take this value',
  4: 'it failed',
}
/** It may do later what it does not do now. */
const DELAYS: Record<number, string> = {
  5: 'it is still at it',
  6: 'it is busy',
  10: 'the device behind it cannot be reached',
  11: 'the device behind it does not answer',
}

/** The device has answered, and refuses. */
export class ModbusRefusal extends Error {
  constructor(code: number) {
    super(REFUSALS[code] ?? `it refuses with code ${code}`)
  }
}

interface Waiting {
  id: number
  of: number
  resolve(answer: Buffer): void
  reject(error: Error): void
}

/**
 * A connection to a Modbus TCP device, with one request at a time. Whatever is not exactly the answer to it ends the
 * connection: the next answer would be taken for that of another register.
 */
export class ModbusConnection {
  readonly #socket: Socket
  readonly #unit: number
  #id = 0
  #heard: Buffer = Buffer.alloc(0)
  #waiting: Waiting | null = null

  private constructor(socket: Socket, unit: number) {
    this.#socket = socket
    this.#unit = unit
    socket.on('data', (data: Buffer) => this.#receive(data))
    socket.on('error', (error) => this.#end(error))
    socket.on('close', () => this.#end(new Error('it has closed the connection')))
  }

  static async open(at: { host: string; port: number; unit: number }, signal: AbortSignal): Promise<ModbusConnection> {
    const socket = connect({ host: at.host, port: at.port, noDelay: true, keepAlive: true })
    try {
      await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) })
    } catch (error) {
      socket.on('error', () => {})
      socket.destroy()
      throw error instanceof Error && error.name === 'AbortError' ? new Error('it does not answer') : error
    }
    return new ModbusConnection(socket, at.unit)
  }

  async read(table: Table, address: number, count: number): Promise<number[]> {
    const answer = await this.#request(READS[table], [address, count])
    const isBits = table === 'coil' || table === 'discrete'
    const bytes = isBits ? Math.ceil(count / 8) : 2 * count
    if (answer[0] !== bytes || answer.length !== bytes + 1)
      throw this.#end(new Error('its answer is too short or long'))
    return Array.from({ length: count }, (_, i) =>
      isBits ? ((answer[1 + (i >> 3)] ?? 0) >> (i & 7)) & 1 : answer.readUInt16BE(1 + 2 * i),
    )
  }

  async write(table: 'coil' | 'holding', address: number, words: readonly number[]): Promise<void> {
    const [first = 0] = words
    if (table === 'coil') await this.#request(WRITE_COIL, [address, first === 0 ? 0 : COIL_ON])
    else if (words.length === 1) await this.#request(WRITE_REGISTER, [address, first])
    else await this.#request(WRITE_REGISTERS, [address, words.length], words)
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  close(): void {
    this.#socket.destroy()
  }

  #request(code: number, fields: readonly number[], words: readonly number[] = []): Promise<Buffer> {
    const body = Buffer.alloc(1 + 2 * fields.length + (words.length > 0 ? 1 + 2 * words.length : 0))
    body[0] = code
    fields.forEach((field, i) => {
      body.writeUInt16BE(field, 1 + 2 * i)
    })
    if (words.length > 0) body[5] = 2 * words.length
    words.forEach((word, i) => {
      body.writeUInt16BE(word, 6 + 2 * i)
    })
    this.#id = (this.#id + 1) % 0x10000
    const header = Buffer.alloc(HEADER)
    header.writeUInt16BE(this.#id, 0)
    header.writeUInt16BE(body.length + 1, 4)
    header[6] = this.#unit
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.#end(new Error('it does not answer')), ANSWER_MS)
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(late)
          this.#waiting = null
          settle(value)
        }
      this.#waiting = { id: this.#id, of: code, resolve: settled(resolve), reject: settled(reject) }
      if (this.#socket.destroyed) this.#end(new Error('it has closed the connection'))
      else this.#socket.write(Buffer.concat([header, body]))
    })
  }

  #receive(data: Buffer): void {
    this.#heard = Buffer.concat([this.#heard, data])
    if (this.#heard.length < HEADER) return
    const length = this.#heard.readUInt16BE(4)
    const isModbus = this.#heard.readUInt16BE(2) === 0 && length >= LENGTHS.least && length <= LENGTHS.most
    if (!isModbus) this.#end(new Error('what it answers is not Modbus TCP'))
    else if (this.#heard.length >= HEADER - 1 + length) this.#answer(this.#heard, HEADER - 1 + length)
  }

  #answer(heard: Buffer, end: number): void {
    const waiting = this.#waiting
    this.#heard = Buffer.alloc(0)
    const code = heard[HEADER] ?? 0
    const isAnswer = heard.length === end && heard.readUInt16BE(0) === waiting?.id && heard[6] === this.#unit
    if (!waiting || !isAnswer) this.#end(new Error('it answers what was not asked'))
    else if (code === waiting.of) waiting.resolve(heard.subarray(HEADER + 1, end))
    else if (code === waiting.of + 0x80) waiting.reject(failureOf(heard[HEADER + 1] ?? 0))
    else this.#end(new Error('it answers what was not asked'))
  }

  #end(error: Error): Error {
    this.#socket.destroy()
    this.#waiting?.reject(error)
    return error
  }
}

function failureOf(code: number): Error {
  const delay = DELAYS[code]
  return delay === undefined ? new ModbusRefusal(code) : new Error(delay)
}
