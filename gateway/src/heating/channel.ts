import type { HeldOff } from '@hypocaust/domain'
import type { ChannelSettings } from '../config/settings.ts'
import { type Actuator, closedActuator, fullyOpenMs, stepActuator, tailMs } from '../laws/actuator.ts'
import type { Candidate, SourceLimits } from '../laws/align.ts'
import type { Rhythm } from '../laws/cycle.ts'
import { type Happened, type Limits, type Loop, wantsOpen } from '../laws/windows.ts'
import type { ChannelState } from '../page/state.ts'
import type { Switch } from '../valves/relay.ts'
import { FloorProbe } from './floor-probe.ts'

const ELECTRIC_MIN_MS = 30_000

const NO_LIMITS: Limits = {
  rhythm: { kind: 'spread', phase: 0, onMs: 0, offMs: 0 },
  minMs: 0,
  fullMs: 0,
  exerciseAfterMs: null,
}

/** One loop with its relay, its valve and its floor probe. */
export class Channel {
  readonly settings: ChannelSettings
  readonly relay: Switch
  readonly probe: FloorProbe | null
  loop: Loop
  windowMs: number
  limits: Limits = NO_LIMITS
  /** Another thermostat works its valve. */
  isWatched = false
  /** Why it must not open, whatever is commanded. */
  held: HeldOff | null = null
  /** The source cools, so what flows through it is cold. */
  isCooled = false
  /** Time of full flow since the start. */
  flowedMs = 0
  /** Where the valve is, as far as its relay has reported. */
  actuator: Actuator
  #isExercised = false

  constructor(settings: ChannelSettings, relay: Switch, loop: Loop, windowMs: number, nowMs: number) {
    this.settings = settings
    this.relay = relay
    this.loop = loop
    this.windowMs = windowMs
    this.probe = settings.floorProbe && new FloorProbe(settings.floorProbe)
    this.actuator = closedActuator(nowMs)
  }

  /** After a start it goes on from what its relay reports; one that reports open is taken for fully open. */
  adopt(nowMs: number): void {
    if (!this.relay.hasReported()) return
    const open = this.relay.isOpen(nowMs)
    if (open && !this.loop.open && !this.actuator.opening)
      this.actuator = { position: 1, opening: true, turnedMs: Number.NEGATIVE_INFINITY, atMs: nowMs }
    this.loop = { ...this.loop, open }
  }

  /** For the page of the agent. */
  state(nowMs: number): Omit<ChannelState, 'autoOff'> {
    const { settings, loop, relay, held } = this
    const { channel, name } = settings
    const power = loop.window.duty.power
    return {
      channel,
      name: name.replace(/^channel /, ''),
      power,
      isOpen: relay.isOpen(nowMs),
      relay: relay.health.state,
      held,
    }
  }

  get isWater(): boolean {
    return this.settings.heat === 'hydronic'
  }

  /** Moves the valve as its relay reports. */
  happened(movesWater: boolean, nowMs: number): Happened {
    const isOpen = this.relay.isOpen(nowMs)
    const { actuator, flowMs } = this.#moved(isOpen, nowMs)
    this.actuator = actuator
    if (this.loop.exercise) this.#isExercised = true
    else if (actuator.position === 0 || this.loop.open) this.#isExercised = false
    const happened = { flowMs: movesWater || !this.isWater ? flowMs : 0, isOpen }
    this.flowedMs += happened.flowMs
    return happened
  }

  /** A thermal actuator follows its relay; one with a position says itself how far it is open. */
  #moved(isOpen: boolean, nowMs: number): { actuator: Actuator; flowMs: number } {
    const position = this.relay.share?.(nowMs)
    if (position === undefined) return stepActuator(this.settings.actuator, this.actuator, isOpen, nowMs)
    const { opening, turnedMs, atMs } = this.actuator
    const turned = isOpen === opening ? turnedMs : atMs
    return {
      actuator: { position, opening: isOpen, turnedMs: turned, atMs: nowMs },
      flowMs: this.actuator.position * (nowMs - atMs),
    }
  }

  /** It closes at once, whatever the shortest opening of its valve is. */
  get isForbidden(): boolean {
    return this.held !== null
  }

  /** It does not open for the sake of the source either. */
  get isOutOfReach(): boolean {
    const isLeftOut = this.isCooled && this.loop.window.duty.power === 0
    return isLeftOut || this.isForbidden || this.relay.health.state !== 'ok'
  }

  get hasPosition(): boolean {
    return this.relay.share !== undefined
  }

  wants(nowMs: number): boolean {
    if (this.hasPosition) return this.loop.exercise !== null || this.loop.window.duty.power > 0
    return wantsOpen(this.loop, this.limits, nowMs, tailMs(this.settings.actuator, this.actuator))
  }

  /** Commands the valve as its loop says. */
  follow(nowMs: number): void {
    const { exercise, window, open } = this.loop
    const { power } = window.duty
    // An actuator with a position that asks for nothing is open for the sake of the source, or for its exercise.
    this.relay.aim?.(exercise || power === 0 ? 1 : power)
    this.relay.set(open, nowMs)
  }

  candidate(
    wants: boolean,
    { isForbidden, isCold, headroomK }: Pick<Candidate, 'isForbidden' | 'isCold' | 'headroomK'>,
    nowMs: number,
  ): Candidate {
    const { loop, settings } = this
    return {
      wants,
      // An actuator with a position follows its own power and waits for no other loop.
      open: loop.open || (wants && this.hasPosition),
      flows: loop.open && this.flows(nowMs),
      isForbidden,
      isCold,
      power: loop.window.duty.power,
      owedMs: loop.owedMs,
      areaM2: settings.areaM2,
      deadMs: settings.actuator.deadMs,
      headroomK,
    }
  }

  /** Whether water can flow through the valve; an exercise is no reason to pump. */
  flows(nowMs: number): boolean {
    const { position, opening, turnedMs } = this.actuator
    if (!this.isWater || this.#isExercised) return false
    return position > 0 || (opening && nowMs - turnedMs >= this.settings.actuator.deadMs)
  }

  /** Whether the relay reports open, and for how long it has reported open or closed. */
  reports(nowMs: number): { isOpen: boolean; forMs: number } {
    if (this.#isExercised) return { isOpen: false, forMs: Number.POSITIVE_INFINITY }
    const isOpen = this.relay.isOpen(nowMs)
    return { isOpen, forMs: isOpen === this.actuator.opening ? nowMs - this.actuator.turnedMs : 0 }
  }
}

/** How a channel may open: `minMs` from the service, `source` from pump and boiler, `phase` its place among the loops. */
export function limitsOf(
  { heat, actuator }: ChannelSettings,
  {
    minMs,
    exerciseAfterMs,
    source,
    phase,
  }: {
    minMs: number
    exerciseAfterMs: number | null
    source: SourceLimits | null
    phase: number
  },
): Limits {
  if (heat === 'electric') {
    const shortestMs = Math.min(minMs, ELECTRIC_MIN_MS)
    const rhythm: Rhythm = { kind: 'spread', phase, onMs: shortestMs, offMs: shortestMs }
    return { rhythm, minMs: shortestMs, fullMs: shortestMs, exerciseAfterMs: null }
  }
  const shortestMs = Math.max(minMs, fullyOpenMs(actuator))
  if (!source) {
    const rhythm: Rhythm = { kind: 'spread', phase, onMs: shortestMs, offMs: shortestMs }
    return { rhythm, minMs, fullMs: shortestMs, exerciseAfterMs }
  }
  const onMs = Math.max(shortestMs, source.minRunMs + actuator.deadMs)
  const offMs = Math.max(shortestMs, source.minOffMs + actuator.strokeMs)
  return { rhythm: { kind: 'aligned', onMs, offMs }, minMs, fullMs: shortestMs, exerciseAfterMs }
}
