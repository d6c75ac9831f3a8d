import type { GatewayConfig, PowerCommand, WindowReport } from '@hypocaust/domain'
import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain/facts'
import type { Journal } from '../journal.ts'

const LAW = 'a valve opens within its limits and its contract'

/** What is known of the house at a moment, for the checks of the valves. */
export interface ValveSurroundings {
  nowMs: number
  isAgentAlive: boolean
  /** Whether the agent has reached the relays for some minutes without loss. */
  isHouseWell: boolean
  /** Of the gateway's wall clock against the simulation's time. */
  wallMs: number
}

interface Valve {
  isOn: boolean
  /** Since when every contract that counts asks for no heat. */
  zeroSinceMs: number | null
  /** Open time beyond what was asked for. */
  excessMs: number
  lastColdMs: number
  coldSinceMs: number | null
  lastReadingMs: number
}

const SHORTEST_OPENING_MS = 3 * MINUTE_MS
const AUTO_OFF_MS = 15 * MINUTE_MS
/** Messages, ticks and the grid of the checks. */
const SLACK_MS = 2 * MINUTE_MS
/** Flow that may be owed, ahead and behind, and one opening. */
const MOST_EXCESS_MS = 50 * MINUTE_MS
const COLD_LASTS_MS = 2.2 * HOUR_MS

/** Follows the contract from the messages that reached the agent, and holds the relays against it. */
export class ValveCheck {
  readonly #journal: Journal
  readonly #valves: Map<number, Valve>
  #config: GatewayConfig | null = null
  /** Since when the agent has surely had a configuration. */
  #knownSinceMs = Number.POSITIVE_INFINITY
  #command: { command: PowerCommand; arrivedMs: number; untilMs: number } | null = null
  /** After a restart that the agent may have forgotten its command by, until the next one. */
  #isCertain = true
  #checkedMs = 0
  #inForce: { fromMs: number; untilMs: number }[] = []

  constructor(journal: Journal, channels: number[]) {
    this.#journal = journal
    this.#valves = new Map(
      channels.map((channel) => [
        channel,
        { isOn: false, zeroSinceMs: null, excessMs: 0, lastColdMs: -1e12, coldSinceMs: null, lastReadingMs: -1e12 },
      ]),
    )
  }

  /** Of the last command that the agent has taken. */
  powerOf(channel: number): number | undefined {
    return this.#command?.command.valves.find((valve) => valve.channel === channel)?.power
  }

  get seq(): number {
    return this.#command?.command.seq ?? 0
  }

  configured(config: GatewayConfig, nowMs: number): void {
    this.#knownSinceMs = Math.min(this.#knownSinceMs, nowMs)
    this.#config = config
  }

  commanded(command: PowerCommand, nowMs: number): void {
    const last = this.#command
    if (last && nowMs < last.untilMs && isOlder(command, last.command)) return
    for (const { power } of command.valves)
      if (!(power >= 0 && power <= 1)) this.#journal.violated(LAW, `command ${command.seq} asks for ${power}`)
    const afterMs = 1000 * Math.min(command.valid_s, this.#config?.fallback.after_s ?? command.valid_s)
    this.#command = { command, arrivedMs: nowMs, untilMs: nowMs + afterMs }
    this.#isCertain = true
    const open = this.#inForce.at(-1)
    if (open && open.untilMs >= nowMs) open.untilMs = nowMs + afterMs
    else this.#inForce.push({ fromMs: nowMs, untilMs: nowMs + afterMs })
  }

  /** The agent has started anew, and may not know its last command any more. */
  doubt(nowMs: number): void {
    this.#isCertain = false
    const open = this.#inForce.at(-1)
    if (open) open.untilMs = Math.min(open.untilMs, nowMs)
  }

  /** An agent that starts anew without its disk may not know which sensor is in which room until the service says so. */
  forgotten(): void {
    this.#knownSinceMs = Number.POSITIVE_INFINITY
  }

  measured(channel: number, temperatureC: number, nowMs: number): void {
    const valve = this.#valves.get(channel)
    if (!valve) return
    valve.lastReadingMs = nowMs
    if (temperatureC < 6.5) valve.lastColdMs = nowMs
    if (temperatureC < 4.9) valve.coldSinceMs ??= nowMs
    else valve.coldSinceMs = null
  }

  switched(channel: number, isOn: boolean, pulseS: number): void {
    const valve = this.#valves.get(channel)
    if (!valve) return
    if (isOn && pulseS === 0) this.#journal.violated(LAW, `channel ${channel} was opened without auto-off`)
    valve.isOn = isOn
  }

  /** A window that began and ended while a command was in force was no fallback. */
  reported({ channel, source, start, window_s }: WindowReport, surroundings: ValveSurroundings): void {
    if (source !== 'fallback') return
    const fromMs = Date.parse(start) - (surroundings.wallMs - surroundings.nowMs)
    const untilMs = fromMs + 1000 * window_s
    if (untilMs - fromMs < SLACK_MS) return
    const inForce = this.#inForce.find((each) => each.fromMs <= fromMs - SLACK_MS && each.untilMs >= untilMs)
    if (inForce)
      this.#journal.violated(
        LAW,
        `channel ${channel} followed its fallback for ${window_s} s although a command was in force since ${inForce.fromMs}`,
      )
  }

  /** Called at least once a minute, and whenever something has changed. */
  check(surroundings: ValveSurroundings): void {
    const { nowMs, isAgentAlive, isHouseWell } = surroundings
    const passedMs = nowMs - this.#checkedMs
    this.#checkedMs = nowMs
    for (const [channel, valve] of this.#valves) {
      const isCold = nowMs - valve.lastColdMs < COLD_LASTS_MS
      const asked = isCold ? 1 : this.#mostPower(channel, nowMs)
      if (asked > 0) valve.zeroSinceMs = null
      else valve.zeroSinceMs ??= nowMs
      valve.excessMs = Math.max(0, valve.excessMs + passedMs * ((valve.isOn ? 1 : 0) - (isAgentAlive ? asked : 1)))
      const mayLastMs = SLACK_MS + SHORTEST_OPENING_MS + (isHouseWell ? 0 : AUTO_OFF_MS)
      if (valve.isOn && valve.zeroSinceMs !== null && nowMs - valve.zeroSinceMs > mayLastMs) {
        this.#journal.violated(
          LAW,
          `channel ${channel} is open, ${Math.round((nowMs - valve.zeroSinceMs) / 1000)} s after no heat was asked for any more`,
        )
        valve.zeroSinceMs = null
      }
      if (valve.excessMs > MOST_EXCESS_MS) {
        this.#journal.violated(
          LAW,
          `channel ${channel} was open for ${Math.round(valve.excessMs / 60_000)} minutes more than it was asked for`,
        )
        valve.excessMs = 0
      }
      this.#checkFrost(channel, valve, surroundings)
    }
  }

  #checkFrost(channel: number, valve: Valve, { nowMs, isAgentAlive, isHouseWell }: ValveSurroundings): void {
    if (valve.coldSinceMs === null || nowMs - valve.lastReadingMs > 20 * MINUTE_MS) return
    if (!isAgentAlive || !isHouseWell || !this.#config?.sensors?.[channel]) return
    const sinceMs = Math.max(valve.coldSinceMs, this.#knownSinceMs)
    if (nowMs - sinceMs > SHORTEST_OPENING_MS + 2 * SLACK_MS && !valve.isOn) {
      this.#journal.violated(LAW, `channel ${channel} is closed although its room is in frost`)
      valve.coldSinceMs = null
    }
  }

  /** The most that any contract allows which may count now. */
  #mostPower(channel: number, nowMs: number): number {
    const commanded = this.powerOf(channel)
    const fallback = this.#config?.fallback.power[channel] ?? 0
    const untilMs = this.#command?.untilMs ?? 0
    if (commanded === undefined || !this.#command) return fallback
    if (!this.#isCertain || Math.abs(nowMs - untilMs) < SLACK_MS) return Math.max(commanded, fallback)
    return nowMs < untilMs ? commanded : fallback
  }
}

type Numbered = Pick<PowerCommand, 'epoch' | 'seq'>
const isOlder = (a: Numbered, b: Numbered): boolean => a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq)
