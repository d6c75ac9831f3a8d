import { ModbusConnection, ModbusRefusal } from './modbus-connection.ts'
import { Orders } from './orders.ts'
import type { PolledDevice, PolledParts } from './polled-device.ts'
import { Poller } from './poller.ts'
import { type Block, blocksOf, type Register, textOfWords, wordsOf, wordsOfText } from './register.ts'

export interface ModbusSettings {
  name: string
  host: string
  port: number
  unit: number
  everyMs: number
  values: ReadonlyMap<string, Register>
}

interface Order {
  register: Register
  words: number[]
}

/** A device on Modbus TCP. Its values are messages on `modbus:<device>/<value>`, its orders end in `/set`. */
export class ModbusDevice implements PolledDevice {
  readonly #settings: ModbusSettings
  readonly #parts: PolledParts
  readonly #poller: Poller
  readonly #orders = new Orders<Order>()
  #blocks: Block[] = []
  #connection: ModbusConnection | null = null

  constructor(settings: ModbusSettings, parts: PolledParts) {
    this.#settings = settings
    this.#parts = parts
    this.#poller = new Poller({
      everyMs: settings.everyMs,
      hasOrders: () => !this.#orders.isEmpty,
      round: (signal) => this.#round(signal),
      onFailure: (error) =>
        parts.log(`${this.#topic} (${settings.host}): ${error instanceof Error ? error.message : error}`),
    })
  }

  start(topics: ReadonlySet<string>): void {
    const heard = [...this.#settings.values].filter(([name]) => topics.has(`${this.#topic}/${name}`))
    this.#blocks = blocksOf(heard.map(([name, register]) => ({ name, register })))
    this.#poller.start()
  }

  order(topic: string, payload: string): boolean {
    const name = topic.slice(this.#topic.length + 1).replace(/\/set$/, '')
    const register = this.#settings.values.get(name)
    if (!register) return false
    const said = wordsOfText(register, payload)
    if (!said.ok) {
      this.#parts.log(`${topic}: not written, because ${said.why}`)
      return false
    }
    this.#orders.put(name, { register, words: said.words })
    this.#poller.wake()
    return true
  }

  async stop(): Promise<void> {
    await this.#poller.stop()
    this.#connection?.close()
  }

  get #topic(): string {
    return `modbus:${this.#settings.name}`
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { host, port, unit } = this.#settings
    const connection = this.#connection?.isOpen
      ? this.#connection
      : await ModbusConnection.open({ host, port, unit }, signal)
    this.#connection = connection
    try {
      await this.#orders.carryOut((name, order) => this.#write(connection, name, order))
      for (const block of this.#blocks) await this.#read(connection, block)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** A refusal is no reason to ask again: the device has its own limits, or is in another state. */
  async #write(connection: ModbusConnection, name: string, { register, words }: Order): Promise<void> {
    const { table, address } = register
    if (table !== 'coil' && table !== 'holding') return
    try {
      if (await this.#has(connection, register, words)) return
      await connection.write(table, address, words)
    } catch (error) {
      if (!(error instanceof ModbusRefusal)) throw error
      this.#parts.log(`${this.#topic}/${name}: not written: ${error.message}`)
    }
  }

  /** Many devices keep what is written in a memory that wears out: only what changes is written. */
  async #has(connection: ModbusConnection, register: Register, words: readonly number[]): Promise<boolean> {
    try {
      const now = await connection.read(register.table, register.address, wordsOf(register))
      return now.every((word, i) => word === words[i])
    } catch (error) {
      if (error instanceof ModbusRefusal) return false
      throw error
    }
  }

  async #read(connection: ModbusConnection, block: Block): Promise<void> {
    try {
      const words = await connection.read(block.table, block.address, block.count)
      for (const { name, register } of block.values) {
        const from = register.address - block.address
        const text = textOfWords(register, words.slice(from, from + wordsOf(register)))
        if (text !== undefined) this.#parts.onMessage(`${this.#topic}/${name}`, text)
      }
    } catch (error) {
      if (!(error instanceof ModbusRefusal)) throw error
      this.#refused(block, error)
    }
  }

  /** One register that a model does not have must not cost the others. */
  #refused(block: Block, error: ModbusRefusal): void {
    const names = block.values.map(({ name }) => name).join(', ')
    this.#parts.log(`${this.#topic}: ${names} cannot be read: ${error.message}`)
    if (block.values.length < 2) return
    this.#blocks = this.#blocks.flatMap((each) =>
      each === block ? block.values.flatMap((value) => blocksOf([value])) : [each],
    )
  }
}
