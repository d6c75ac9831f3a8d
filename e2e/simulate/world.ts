import type { Readings } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/domain/facts'
import type { Random } from '@hypocaust/simulator'
import { hashSecret } from '../../service/src/base/secret.ts'
import { tokenHashesOf } from '../../service/src/house/gateways/gateways.ts'
import { ReadingCheck } from './checks/readings.ts'
import { ValveCheck, type ValveSurroundings } from './checks/valves.ts'
import { Devices } from './devices.ts'
import { Disk } from './disk.ts'
import { GatewayMachine } from './gateway.ts'
import { drain, surround } from './globals.ts'
import { furnish, type PreparedHouse, ROOMS, START_MS } from './house.ts'
import { Journal } from './journal.ts'
import { Network } from './network.ts'
import { type Plan, randomOf } from './plan.ts'
import { Process, Scheduler } from './scheduler.ts'
import { ServiceMachine } from './service.ts'

const FINE_PACE_MS = 500
const FINE_TICK_MS = 500
const CALM_TICK_MS = 20_000
const READINGS_WITHIN_MS = 4 * MINUTE_MS
const CHECK_EVERY_MS = 30_000
/** After a fault has ended, everything is well again by then. */
const WELL_AFTER_MS = 5 * MINUTE_MS

/** One house with its service, its gateway and all that is between them. */
export class World {
  readonly plan: Plan
  readonly house: PreparedHouse
  readonly scheduler: Scheduler
  readonly journal: Journal
  readonly disk: Disk
  readonly network: Network
  readonly devices: Devices
  readonly service: ServiceMachine
  readonly gateway: GatewayMachine
  readonly readings: ReadingCheck
  readonly valves: ValveCheck
  readonly owners = new Process('owners')
  readonly #environment = new Process('house')
  readonly random: Random
  wereClocksSet = false
  /** Until when something is wrong, or may still be. */
  #disturbedUntilMs = 0
  #houseDisturbedUntilMs = 0
  #fineUntilMs = 0
  /** Called when the service ends at once: its answers never come. */
  readonly onServiceEnd = new Set<() => void>()

  constructor(plan: Plan, house: PreparedHouse, folder: string, print?: (line: string) => void) {
    this.plan = plan
    this.house = house
    const { seed } = plan
    this.random = randomOf(seed, 1)
    this.scheduler = new Scheduler(drain, (process, error) => this.failed(process, error))
    const { scheduler } = this
    this.journal = new Journal(() => scheduler.nowMs, print)
    this.disk = new Disk(scheduler, randomOf(seed, 2), (process) => this.#crash(process))
    surround({ scheduler, random: randomOf(seed, 3), disk: this.disk, startMs: START_MS })
    const { gatewayId } = house
    this.network = new Network(scheduler, randomOf(seed, 4), {
      published: ({ topic, payload }) => this.#published(topic, payload),
      confirmed: ({ topic, payload }) => this.#confirmed(topic, payload),
      delivered: (topic, payload) => this.#delivered(topic, payload),
    })
    const rooms = ROOMS.map((room) => ({ ...room }))
    this.valves = new ValveCheck(
      this.journal,
      rooms.map(({ channel }) => channel),
    )
    this.devices = new Devices(scheduler, randomOf(seed, 5), rooms, this.#environment, {
      switched: (channel, isOn, pulseS) => {
        this.journal.note(`relay ${channel} ${isOn ? 'on' : 'off'}`)
        this.valves.check(this.valveSurroundings)
        this.valves.switched(channel, isOn, pulseS)
      },
      measured: (channel, temperatureC) => this.valves.measured(channel, temperatureC, scheduler.nowMs),
    })
    this.devices.outdoorC = plan.outdoorC
    furnish(house, `${folder}/service-0`)
    this.service = new ServiceMachine({
      scheduler,
      disk: this.disk,
      network: this.network,
      startMs: START_MS,
      folder: (life) => `${folder}/service-${life}`,
      paceMs: () => (this.isFine ? FINE_PACE_MS : plan.calmPaceMs),
    })
    this.gateway = new GatewayMachine({
      scheduler,
      disk: this.disk,
      network: this.network,
      devices: this.devices,
      gatewayId,
      startMs: START_MS,
      folder: (life) => `${folder}/gateway-${life}`,
      tickMs: () => (this.isFine ? FINE_TICK_MS : CALM_TICK_MS),
      token: house.token,
      authenticate: async (token) => {
        const running = this.service.running
        if (!running) throw new Error('the service has not started')
        return (await tokenHashesOf(running.store, new Set([gatewayId]))).get(gatewayId) === hashSecret(token)
      },
    })
    this.readings = new ReadingCheck({
      journal: this.journal,
      file: () => this.service.file,
      gatewayId,
      wereClocksSet: () => this.wereClocksSet,
    })
  }

  start(): void {
    this.service.start()
    this.gateway.start()
    this.fine(8000)
    const check = () => {
      this.valves.check(this.valveSurroundings)
      this.scheduler.in(CHECK_EVERY_MS, check, this.#environment)
    }
    this.scheduler.in(CHECK_EVERY_MS, check, this.#environment)
  }

  /** For so long every timer is exact. */
  fine(forMs: number): void {
    if (!this.isFine) this.scheduler.hurry()
    this.#fineUntilMs = Math.max(this.#fineUntilMs, this.scheduler.nowMs + forMs)
  }

  get isFine(): boolean {
    return this.scheduler.nowMs < this.#fineUntilMs
  }

  /** Something is wrong from now on for so long. */
  disturb(forMs: number): void {
    this.#disturbedUntilMs = Math.max(this.#disturbedUntilMs, this.scheduler.nowMs + forMs + WELL_AFTER_MS)
  }

  disturbHouse(forMs: number): void {
    this.#houseDisturbedUntilMs = Math.max(this.#houseDisturbedUntilMs, this.scheduler.nowMs + forMs + WELL_AFTER_MS)
  }

  get isCalm(): boolean {
    return this.scheduler.nowMs >= this.#disturbedUntilMs
  }

  get isHouseWell(): boolean {
    return this.scheduler.nowMs >= this.#houseDisturbedUntilMs
  }

  get valveSurroundings(): ValveSurroundings {
    const { nowMs } = this.scheduler
    const isAgentAlive = this.gateway.agent !== undefined
    return { nowMs, isAgentAlive, isHouseWell: this.isHouseWell, wallMs: this.gateway.nowMs - START_MS }
  }

  /** Until readings have been stored; false where none come for long. */
  readingsStored(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#onReadings.push(() => resolve(true))
      this.scheduler.in(READINGS_WITHIN_MS, () => resolve(false), this.owners)
    })
  }

  readonly #onReadings: (() => void)[] = []

  crashService(): void {
    this.journal.note('service ends')
    this.service.crash()
    for (const end of [...this.onServiceEnd]) end()
    this.onServiceEnd.clear()
  }

  crashGateway(): void {
    this.journal.note('agent ends')
    this.#forgetsWithoutDisk()
    this.gateway.crash()
    this.valves.doubt(this.scheduler.nowMs)
  }

  #forgetsWithoutDisk(): void {
    if (!this.gateway.isDiskBroken) return
    this.readings.excuseUnconfirmed()
    this.valves.forgotten()
  }

  stopGateway(): void {
    this.journal.note('agent stops')
    this.#forgetsWithoutDisk()
    this.gateway.stop()
    this.valves.doubt(this.scheduler.nowMs)
  }

  #crash(process: Process): void {
    if (process.name.startsWith('service')) this.crashService()
    else this.crashGateway()
  }

  /** What no code has caught would end the process. */
  failed(process: Process, error: unknown): void {
    if (!process.isAlive) return
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.journal.violated('no process ends by an error of its own', `${process.name}: ${what}`)
  }

  end(): void {
    this.readings.close()
    this.onServiceEnd.clear()
    this.service.crash()
    this.gateway.crash()
    surround(undefined)
  }

  #published(topic: string, payload: string): void {
    this.journal.note(`up ${topic} ${payload}`)
    if (topic.endsWith('/up/readings')) this.readings.sent(JSON.parse(payload) as Readings, this.scheduler.nowMs)
    if (topic.endsWith('/up/window')) this.valves.reported(JSON.parse(payload), this.valveSurroundings)
  }

  #confirmed(topic: string, payload: string): void {
    this.journal.note(`confirmed ${topic}`)
    if (!topic.endsWith('/up/readings')) return
    this.readings.acknowledged(JSON.parse(payload), 'PUBACK')
    for (const wake of this.#onReadings.splice(0)) this.scheduler.in(0, wake, this.owners)
  }

  #delivered(topic: string, payload: string): void {
    this.journal.note(`down ${topic} ${payload}`)
    const { nowMs } = this.scheduler
    if (topic.endsWith('/down/commit')) this.readings.acknowledged(JSON.parse(payload), 'commit')
    if (topic.endsWith('/down/config')) this.valves.configured(JSON.parse(payload), nowMs)
    this.valves.check(this.valveSurroundings)
    if (topic.endsWith('/down/power')) this.valves.commanded(JSON.parse(payload), nowMs)
  }
}
