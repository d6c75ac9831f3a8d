import { MINUTE_MS } from '@hypocaust/domain'
import type { Clock, Random, VirtualHouse } from '@hypocaust/simulator'
import type { HouseFault } from './kinds.ts'
import { between } from './turns.ts'

interface HouseFaultParts {
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
  untilMs: number
  end(): Promise<void>
}

const LOOK_EVERY_MS = 10_000
/** A reading counts for an hour, so a lost sensor shows after one. */
const SENSOR_LOST_MIN = { least: 75, most: 150 }
const SILENT_FOR_MIN = { least: 5, most: 20 }

/** What goes wrong in the house, for long enough to be seen, and right again. */
export class HouseFaults {
  readonly #parts: HouseFaultParts
  readonly #ongoing = new Map<HouseFault, Ongoing>()
  #gateway: Switchable | null = null
  #work: Promise<void> = Promise.resolve()
  #stopTicking = () => {}

  constructor(parts: HouseFaultParts) {
    this.#parts = parts
  }

  get ongoing(): HouseFault[] {
    return [...this.#ongoing.keys()]
  }

  start(gateway: Switchable): void {
    this.#gateway = gateway
    this.#stopTicking = this.#parts.clock.every(LOOK_EVERY_MS, () => this.#queue(() => this.#endWhatIsOver()))
  }

  begin(kind: HouseFault): Promise<void> {
    return this.#queue(() => (kind === 'sensor' ? this.#loseSensor() : this.#silence()))
  }

  /** When what has begun is done. */
  settled(): Promise<void> {
    return this.#work
  }

  async stop(): Promise<void> {
    this.#stopTicking()
    await this.settled()
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: Error) => this.#parts.tell(`house: ${error.message}`))
    return this.#work
  }

  async #endWhatIsOver(): Promise<void> {
    for (const [kind, { untilMs, end }] of this.#ongoing) {
      if (this.#parts.clock.now() < untilMs) continue
      await end()
      this.#ongoing.delete(kind)
      this.#parts.tell(`${kind}: over`)
    }
  }

  async #loseSensor(): Promise<void> {
    const { house, random, clock, tell } = this.#parts
    const { rooms } = house.plan
    const room = rooms[between(random, 0, rooms.length - 1)]
    if (!room) return
    const untilMs = clock.now() + this.#drawMs(SENSOR_LOST_MIN)
    house.pullSensor(room.sensorId)
    this.#ongoing.set('sensor', { untilMs, end: async () => house.plugSensor(room.sensorId) })
    tell(`sensor: the one of ${room.name} is lost until ${clockTime(untilMs)}`)
  }

  async #silence(): Promise<void> {
    const gateway = this.#gateway
    if (!gateway) return
    const { silentAfterS, clock, tell } = this.#parts
    const untilMs = clock.now() + silentAfterS * 1000 + this.#drawMs(SILENT_FOR_MIN)
    await gateway.stop()
    this.#ongoing.set('silence', { untilMs, end: () => gateway.start() })
    tell(`silence: the gateway is off until ${clockTime(untilMs)}`)
  }

  #drawMs({ least, most }: { least: number; most: number }): number {
    return between(this.#parts.random, least, most) * MINUTE_MS
  }
}

/** House time, as the answers of the service show it. */
const clockTime = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 16)}Z`
