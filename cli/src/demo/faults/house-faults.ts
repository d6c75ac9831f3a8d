import { MINUTE_MS } from '@hypocaust/domain'
import type { Clock, Random, VirtualHouse } from '@hypocaust/simulator'
import type { HouseFault } from './kinds.ts'
import { between, Turns } from './turns.ts'

export interface HouseFaultParts {
  kinds: HouseFault[]
  random: Random
  /** Of the house: what goes wrong there takes its hours. */
  clock: Clock
  house: VirtualHouse
  /** After so long without a heartbeat a building counts as silent. */
  silentAfterS: number
  tell(line: string): void
}

/** The virtual gateway as far as it is switched off and on. */
export interface Switchable {
  start(): Promise<void>
  stop(): Promise<void>
}

interface Ongoing {
  kind: HouseFault
  end(): Promise<void>
}

const LOOK_EVERY_MS = 10_000
const GOOD_MIN = { least: 1, most: 20 }
/** A reading counts for an hour, so a lost sensor shows after one. */
const SENSOR_LOST_MIN = { least: 75, most: 150 }
const SILENT_FOR_MIN = { least: 5, most: 20 }

/** One thing at a time goes wrong in the house, and right again. */
export class HouseFaults {
  readonly #parts: HouseFaultParts
  readonly #turns: Turns<HouseFault>
  #gateway: Switchable | null = null
  #ongoing: Ongoing | null = null
  #nextMs = 0
  #work: Promise<void> = Promise.resolve()
  #stopTicking = () => {}

  constructor(parts: HouseFaultParts) {
    this.#parts = parts
    this.#turns = new Turns(parts.kinds, parts.random)
  }

  get ongoing(): string[] {
    return this.#ongoing ? [this.#ongoing.kind] : []
  }

  start(gateway: Switchable): void {
    if (this.#parts.kinds.length === 0) return
    this.#gateway = gateway
    this.#nextMs = this.#parts.clock.now() + this.#drawMs(GOOD_MIN)
    this.#stopTicking = this.#parts.clock.every(LOOK_EVERY_MS, () => {
      this.#work = this.#work.then(() => this.#look()).catch((error) => this.#parts.tell(`house: ${error}`))
    })
  }

  /** When what has begun is done. */
  settled(): Promise<void> {
    return this.#work
  }

  async stop(): Promise<void> {
    this.#stopTicking()
    await this.settled()
  }

  async #look(): Promise<void> {
    const nowMs = this.#parts.clock.now()
    if (nowMs < this.#nextMs) return
    if (this.#ongoing) {
      const { kind, end } = this.#ongoing
      await end()
      this.#ongoing = null
      this.#parts.tell(`${kind}: over`)
      this.#nextMs = nowMs + this.#drawMs(GOOD_MIN)
    } else if (this.#turns.next() === 'sensor') {
      this.#loseSensor(nowMs)
    } else {
      await this.#silence(nowMs)
    }
  }

  #loseSensor(nowMs: number): void {
    const { house, random, tell } = this.#parts
    const { rooms } = house.plan
    const room = rooms[between(random, 0, rooms.length - 1)]
    if (!room) return
    this.#nextMs = nowMs + this.#drawMs(SENSOR_LOST_MIN)
    house.pullSensor(room.sensorId)
    this.#ongoing = { kind: 'sensor', end: async () => house.plugSensor(room.sensorId) }
    tell(`sensor: the one of ${room.name} is lost until ${clockTime(this.#nextMs)}`)
  }

  async #silence(nowMs: number): Promise<void> {
    const gateway = this.#gateway
    if (!gateway) return
    this.#nextMs = nowMs + this.#parts.silentAfterS * 1000 + this.#drawMs(SILENT_FOR_MIN)
    await gateway.stop()
    this.#ongoing = { kind: 'silence', end: () => gateway.start() }
    this.#parts.tell(`silence: the gateway is off until ${clockTime(this.#nextMs)}`)
  }

  #drawMs({ least, most }: { least: number; most: number }): number {
    return between(this.#parts.random, least, most) * MINUTE_MS
  }
}

/** House time, as the answers of the service show it. */
const clockTime = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 16)}Z`
