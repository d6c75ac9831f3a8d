import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { programOf } from '@hypocaust/testing/program-of.ts'
import { connect, type MqttClient } from 'mqtt'
import { numberOf, sensorOf, temperatureOf } from './codes.ts'
import { Supervised } from './processes.ts'

const SPEAK_EVERY_MS = 250

interface AgentChoice {
  folder: string
  house: number
  serviceUrl: string
  devicesUrl: string
  gatewayId: string
  token: string
  env: Record<string, string>
}

/** The real agent with its disk, and devices that report to it. What it has on disk counts as acknowledged. */
export class AgentUnderFire {
  readonly process: Supervised
  readonly #choice: AgentChoice
  readonly #devices: MqttClient
  readonly kept = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  spoken = 0

  constructor(choice: AgentChoice) {
    this.#choice = choice
    const { folder, serviceUrl, devicesUrl, gatewayId, token, env } = choice
    mkdirSync(folder, { recursive: true })
    const file = `service: { url: "${serviceUrl}", gateway_id: ${gatewayId}, token: ${token} }
devices: { url: "${devicesUrl}" }
sensors: { collect_s: 0.2, every_s: 0 }
channels: [{ channel: 1, driver: tasmota, topic: manifold }]
`
    writeFileSync(join(folder, 'gateway.yaml'), file, { mode: 0o600 })
    this.process = new Supervised({ program: process.execPath, args: [programOf('gateway'), 'run'], cwd: folder, env })
    this.#devices = connect(devicesUrl, { reconnectPeriod: 100, queueQoSZero: false })
    this.#devices.on('error', () => {})
  }

  async start(): Promise<void> {
    await this.process.start()
    this.#timer = setInterval(() => this.#speak(), SPEAK_EVERY_MS)
  }

  /** The devices fall silent. */
  silence(): void {
    clearInterval(this.#timer)
  }

  get database(): string {
    return join(this.#choice.folder, 'data', 'gateway.db')
  }

  /** What is on its disk and not committed yet; asked of a copy, as the agent may be writing. */
  buffered(): number[] {
    const copy = join(this.#choice.folder, 'copy.db')
    for (const suffix of ['', '-wal'])
      if (existsSync(this.database + suffix)) cpSync(this.database + suffix, copy + suffix)
    const db = new DatabaseSync(copy)
    const rows = db.prepare('select readings from message').all()
    db.close()
    return rows.flatMap(({ readings }) =>
      (JSON.parse(String(readings)) as { id: string; temperature: number }[]).map((each) =>
        numberOf(each.id, each.temperature),
      ),
    )
  }

  async kill(): Promise<void> {
    await this.process.end('SIGKILL')
    for (const n of this.buffered()) this.kept.add(n)
  }

  async stop(): Promise<void> {
    this.silence()
    await this.process.end('SIGTERM')
    await this.#devices.endAsync(true)
  }

  #speak(): void {
    if (!this.#devices.connected) return
    const n = this.spoken++
    const id = sensorOf(this.#choice.house, n)
    const said = { id, rssi: -71, tempc: temperatureOf(n), hum: 47 }
    this.#devices.publish(`home/OMG_B1/BTtoMQTT/${id.replaceAll(':', '').toUpperCase()}`, JSON.stringify(said))
  }
}
