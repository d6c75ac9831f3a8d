import type { Random } from '@hypocaust/simulator'
import type { Link } from '../../gateway/src/base/link.ts'
import type { Process, Scheduler } from './scheduler.ts'

export interface SimulatedRoom {
  name: string
  channel: number
  sensor: string
  /** `screed` and so on, as in the house file. */
  floor: 'screed' | 'dry' | 'timber'
  airC: number
}

interface Relay {
  isOn: boolean
  /** Switches off by itself after so long; 0 where it does not. */
  pulseS: number
  pulse: { isCancelled: boolean } | undefined
}

/** What listens on the brokers of the house. */
interface Listener {
  process: Process
  onUp(): void
  onMessage(topic: string, payload: Uint8Array): void
}

/** What the checks see of the valves. */
interface ValveObserver {
  switched(channel: number, isOn: boolean, pulseS: number): void
  /** The agent has heard a reading. */
  measured(channel: number, temperatureC: number): void
}

const PULSE_OFFSET = 100
const REPORT_MS = 150_000
const TIME_CONSTANT_MS = 40 * 3_600_000
const HEATS_K_PER_MS = 1.2 / 3_600_000

/** Rooms, their sensors, and a Tasmota box with the relays of the valves, on the broker of the house. */
export class Devices {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #observer: ValveObserver
  readonly rooms: SimulatedRoom[]
  readonly relays = new Map<number, Relay>()
  /** Share of the messages of the house that are lost. */
  lost = 0
  isBrokerUp = true
  /** Sensors that have fallen silent. */
  readonly silent = new Set<string>()
  outdoorC = 0
  readonly #process: Process
  #client: { listener: Listener; link: HouseLink } | undefined
  #steppedMs = 0
  #sentMs = 0

  constructor(scheduler: Scheduler, random: Random, rooms: SimulatedRoom[], process: Process, observer: ValveObserver) {
    this.#scheduler = scheduler
    this.#random = random
    this.#observer = observer
    this.#process = process
    this.rooms = rooms
    for (const { channel } of rooms) this.relays.set(channel, { isOn: false, pulseS: 0, pulse: undefined })
    for (const [i, room] of rooms.entries()) scheduler.in(1000 + 40 * i, () => this.#report(room), process)
  }

  linkOf(listener: Listener): Link {
    const link = new HouseLink((topic, payload) => this.#send(() => this.#hear(topic, payload), this.#process))
    this.#client = { listener, link }
    if (this.isBrokerUp) this.#connect()
    return link
  }

  clientEnds(): void {
    this.#client = undefined
  }

  set(isBrokerUp: boolean): void {
    this.isBrokerUp = isBrokerUp
    if (isBrokerUp) this.#connect()
    else if (this.#client) this.#client.link.connected = false
  }

  /** The box loses its power: its relays open, as they do without current. */
  restartBox(): void {
    for (const [channel, relay] of this.relays) this.#switch(channel, relay, false)
    this.#tell('tele/manifold/LWT', 'Online')
  }

  #connect(): void {
    const client = this.#client
    if (!client) return
    this.#scheduler.in(
      20 + this.#random.uniform() * 500,
      () => {
        if (this.#client !== client || !this.isBrokerUp || client.link.connected) return
        client.link.connected = true
        client.listener.onUp()
      },
      client.listener.process,
    )
  }

  #report(room: SimulatedRoom): void {
    this.#step()
    this.#scheduler.in(REPORT_MS, () => this.#report(room), this.#process)
    if (this.silent.has(room.sensor)) return
    const text = room.airC.toFixed(2)
    const heard = () => this.#observer.measured(room.channel, Number(text))
    this.#tell(`${room.name}/sensor/temperature/state`, text, heard)
  }

  #step(): void {
    const ms = this.#scheduler.nowMs - this.#steppedMs
    this.#steppedMs = this.#scheduler.nowMs
    for (const room of this.rooms) {
      const heat = this.relays.get(room.channel)?.isOn ? HEATS_K_PER_MS * ms : 0
      room.airC += ((this.outdoorC - room.airC) * ms) / TIME_CONSTANT_MS + heat
    }
  }

  #hear(topic: string, payload: string): void {
    const [, what, output] = /^cmnd\/manifold\/(POWER|PulseTime)(\d+)$/.exec(topic) ?? []
    const relay = this.relays.get(Number(output))
    if (!relay || what === undefined) return
    if (what === 'PulseTime') relay.pulseS = Math.max(0, Number(payload) - PULSE_OFFSET)
    else if (payload !== '') this.#switch(Number(output), relay, payload === 'ON')
    if (what === 'POWER')
      this.#tell('stat/manifold/RESULT', JSON.stringify({ [`POWER${output}`]: relay.isOn ? 'ON' : 'OFF' }))
  }

  #switch(channel: number, relay: Relay, isOn: boolean): void {
    this.#step()
    if (relay.pulse) relay.pulse.isCancelled = true
    relay.isOn = isOn
    relay.pulse =
      isOn && relay.pulseS > 0
        ? this.#scheduler.in(
            relay.pulseS * 1000,
            () => {
              this.#switch(channel, relay, false)
              this.#tell('stat/manifold/RESULT', JSON.stringify({ [`POWER${channel}`]: 'OFF' }))
            },
            this.#process,
          )
        : undefined
    this.#observer.switched(channel, isOn, relay.pulseS)
  }

  #tell(topic: string, payload: string, onHeard: () => void = () => {}): void {
    const client = this.#client
    if (!client?.link.connected) return
    this.#send(() => {
      if (this.#client !== client || !client.link.connected) return
      onHeard()
      client.listener.onMessage(topic, Buffer.from(payload))
    }, client.listener.process)
  }

  #send(arrive: () => void, process: Process): void {
    if (!this.isBrokerUp || this.#random.uniform() < this.lost) return
    // A broker keeps the order of messages.
    const atMs = Math.max(this.#sentMs, this.#scheduler.nowMs + 2 + this.#random.uniform() * 30)
    this.#sentMs = atMs
    this.#scheduler.in(atMs - this.#scheduler.nowMs, arrive, process)
  }
}

class HouseLink implements Link {
  connected = false
  readonly refused = false
  readonly #publish: (topic: string, payload: string) => void

  constructor(publish: (topic: string, payload: string) => void) {
    this.#publish = publish
  }

  publish(topic: string, payload: string): boolean {
    if (this.connected) this.#publish(topic, payload)
    return this.connected
  }
}
