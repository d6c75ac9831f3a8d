import { mkdirSync } from 'node:fs'
import { Agent } from '../../gateway/src/agent/agent.ts'
import { Store } from '../../gateway/src/base/store.ts'
import { parseGatewayFile, settingsOf } from '../../gateway/src/config/load.ts'
import { AutoOffProofs } from '../../gateway/src/valves/auto-off.ts'
import type { Devices } from './devices.ts'
import type { Disk } from './disk.ts'
import type { Network } from './network.ts'
import { Process, type Scheduler } from './scheduler.ts'

interface GatewayParts {
  scheduler: Scheduler
  disk: Disk
  network: Network
  devices: Devices
  gatewayId: string
  startMs: number
  /** A folder for each life. */
  folder(life: number): string
  tickMs(): number
  authenticate(token: string): Promise<boolean>
  token: string
}

/** The machine of the gateway, and the agent that runs on it. */
export class GatewayMachine {
  readonly #parts: GatewayParts
  #life = 0
  /** The wall clock's error. */
  clockOffMs = 0
  isClockSet = true
  /** Since its disk has failed, the agent keeps everything in memory. */
  isDiskBroken = false
  /** When the machine was started. */
  #bootedMs = 0
  #boots = 1
  token: string
  process: Process | undefined
  agent: Agent | undefined
  #store: Store | undefined

  constructor(parts: GatewayParts) {
    this.#parts = parts
    this.token = parts.token
  }

  get nowMs(): number {
    return this.#parts.startMs + this.#parts.scheduler.nowMs + this.clockOffMs
  }

  start(): void {
    const { scheduler, network, devices, folder, authenticate } = this.#parts
    const process = new Process(`agent ${this.#life}`)
    this.isDiskBroken = false
    this.process = process
    const life = () => {
      const data = folder(this.#life)
      mkdirSync(data, { recursive: true })
      const settings = settingsOf(parseGatewayFile(this.#file(), 'gateway.yaml'), data)
      if (!settings.service) throw new Error('the simulation needs a service')
      const proofs = new AutoOffProofs(settings.dataFolder)
      for (const channel of settings.channels) proofs.write(channel, true, new Date())
      const store = new Store(data, () => {})
      store.open()
      this.#store = store
      const token = this.token
      const parts = {
        settings: { ...settings, service: settings.service },
        version: '0.0.0',
        instance: `life ${this.#life}`,
        host: 'cellar',
        clock: {
          nowMs: () => this.nowMs,
          monotonicMs: () => scheduler.nowMs - this.#bootedMs,
          bootId: () => `boot ${this.#boots}`,
        },
        clockIsSet: () => this.isClockSet,
        store,
        log: () => {},
      }
      const agent: Agent = new Agent({
        ...parts,
        devices: devices.linkOf({
          process,
          onUp: () => guarded(() => agent.devicesUp()),
          onMessage: (topic, payload) => guarded(() => agent.deviceMessage(topic, payload, false)),
        }),
        service: network.clientOf({
          process,
          get will() {
            return agent.will
          },
          authenticate: () => authenticate(token),
          onUp: () => guarded(() => agent.serviceUp()),
          onMessage: (topic, payload) => guarded(() => agent.serviceMessage(topic, payload)),
        }),
      })
      this.agent = agent
      agent.start()
      this.#tick(agent)
    }
    const guarded = (work: () => void) => {
      if (process.isAlive) work()
    }
    scheduler.in(0, life, process)
  }

  /** As without power: nothing is saved, and the files are as they are. */
  crash(): void {
    const { disk, folder } = this.#parts
    const process = this.#ends()
    if (process) disk.leave(process, folder(this.#life), folder(++this.#life))
  }

  stop(): void {
    const { scheduler, disk, folder } = this.#parts
    const agent = this.agent
    if (!agent || !this.process) return
    const process = this.process
    scheduler.in(
      0,
      () => {
        agent.stop()
        this.#store?.close()
        this.#ends()
        disk.leave(process, folder(this.#life), folder(++this.#life))
      },
      process,
    )
  }

  /** The machine starts anew with the agent. */
  reboot(): void {
    this.#bootedMs = this.#parts.scheduler.nowMs
    this.#boots += 1
  }

  #ends(): Process | undefined {
    const { network, devices } = this.#parts
    const process = this.process
    if (process) process.isAlive = false
    this.process = undefined
    this.agent = undefined
    network.clientEnds()
    devices.clientEnds()
    return process
  }

  #tick(agent: Agent): void {
    const { scheduler, tickMs } = this.#parts
    scheduler.in(tickMs(), () => {
      this.#tick(agent)
      agent.tick()
    })
  }

  #file(): string {
    const { devices, gatewayId } = this.#parts
    const sensors = devices.rooms.map(
      ({ name, sensor }) => `{ sensor: "${sensor}", temperature: ${name}/sensor/temperature/state }`,
    )
    const channels = devices.rooms.map(
      ({ channel }) => `  - { channel: ${channel}, driver: tasmota, topic: manifold, output: ${channel} }`,
    )
    return `
service: { url: "mqtt://127.0.0.1", gateway_id: ${gatewayId}, token: ${this.token} }
devices: { url: "mqtt://127.0.0.1" }
sensors:
  esphome: [${sensors.join(', ')}]
channels:
${channels.join('\n')}
`
  }
}
