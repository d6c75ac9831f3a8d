import { connectAsync, type MqttClient } from 'mqtt'

export interface Switched {
  output: number
  on: boolean
  atMs: number
}

/** A Tasmota device on a real broker: it obeys, answers questions, reports its state, and reconnects by itself. */
export class TasmotaBox {
  readonly switched: Switched[] = []
  readonly #client: MqttClient
  readonly #topic: string
  readonly #on = new Set<number>()
  readonly #commands = new Map<number, number>()
  readonly #waiting = new Set<() => void>()

  static async plugIn(url: string, topic: string): Promise<TasmotaBox> {
    const will = { topic: `tele/${topic}/LWT`, payload: Buffer.from('Offline'), qos: 1 as const, retain: true }
    const client = await connectAsync(url, { protocolVersion: 4, reconnectPeriod: 500, will })
    const box = new TasmotaBox(client, topic)
    await box.#greet()
    client.on('connect', () => void box.#greet())
    return box
  }

  private constructor(client: MqttClient, topic: string) {
    this.#client = client
    this.#topic = topic
    client.on('error', () => undefined)
    client.on('message', (heard, payload) => this.#hear(heard, payload.toString()))
  }

  isOn(output: number): boolean {
    return this.#on.has(output)
  }

  /** The times at which an output has changed. */
  switchesOf(output: number): Switched[] {
    return this.switched.filter((each) => each.output === output)
  }

  /** How often an output was commanded, whether it changed or not. */
  commandsOf(output: number): number {
    return this.#commands.get(output) ?? 0
  }

  /** Resolves once it holds; it is looked at again with every command. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  async unplug(): Promise<void> {
    await this.#client.endAsync(true)
  }

  async #greet(): Promise<void> {
    await this.#client.subscribeAsync(`cmnd/${this.#topic}/#`)
    await this.#client.publishAsync(`tele/${this.#topic}/LWT`, 'Online', { qos: 1, retain: true })
  }

  #hear(heard: string, text: string): void {
    const output = Number(/POWER(\d+)$/.exec(heard)?.[1])
    if (!(output > 0)) return
    if (text !== '') this.#commands.set(output, this.commandsOf(output) + 1)
    if (text !== '' && (text === 'ON') !== this.#on.has(output)) {
      if (text === 'ON') this.#on.add(output)
      else this.#on.delete(output)
      this.switched.push({ output, on: text === 'ON', atMs: Date.now() })
    }
    const state = this.#on.has(output) ? 'ON' : 'OFF'
    this.#client.publish(`stat/${this.#topic}/RESULT`, JSON.stringify({ [`POWER${output}`]: state }))
    for (const look of this.#waiting) look()
  }
}
