import type { RelayReport, SourceReport } from '@hypocaust/domain'
import type { Clock } from '../base/clock.ts'
import type { Covers } from '../covers/covers.ts'
import type { Heating } from '../heating/heating.ts'
import type { GridInputs } from '../inputs/grid.ts'
import type { Meters } from '../inputs/meters.ts'
import type { AutoOffProofs } from '../valves/auto-off.ts'
import type { Presence } from './presence.ts'

/** Often enough for a service that has lost what it knew. */
const REPEATED_MS = 900_000

export interface ConditionParts {
  clock: Clock
  heating: Heating
  presence: Presence
  proofs: AutoOffProofs
  grid: GridInputs
  meters: Meters
  covers: Covers
  /** False where it could not be sent. */
  say(name: 'relays' | 'source', message: object): boolean
}

/** Reports relays and source: when something has changed, and now and then. */
export class Conditions {
  readonly #parts: ConditionParts
  readonly #said = new Map<string, string>()
  #repeatedMs = Number.NEGATIVE_INFINITY

  constructor(parts: ConditionParts) {
    this.#parts = parts
  }

  /** After a reconnection all of them are sent again. */
  forget(): void {
    this.#said.clear()
  }

  send(monoMs: number): void {
    const isDue = monoMs - this.#repeatedMs >= REPEATED_MS
    if (isDue) this.#repeatedMs = monoMs
    this.#sendOne('relays', this.#relays(), isDue)
    const source = this.#source(monoMs)
    if (source) this.#sendOne('source', source, isDue)
  }

  #sendOne(name: 'relays' | 'source', message: RelayReport | SourceReport, isDue: boolean): void {
    const text = JSON.stringify(message)
    if ((isDue || this.#said.get(name) !== text) && this.#parts.say(name, message)) this.#said.set(name, text)
  }

  #relays(): RelayReport {
    const { heating, presence, proofs } = this.#parts
    return {
      ...(presence.other && { drives: presence.drives, other_agent: presence.other.host }),
      channels: heating.channels.map(({ settings, held, relay: { health } }) => ({
        channel: settings.channel,
        state: health.state,
        auto_off: proofs.of(settings, settings.normally),
        ...(health.stuck && { stuck: health.stuck }),
        ...(held && { held }),
        faults: health.faults,
      })),
    }
  }

  #source(monoMs: number): SourceReport | undefined {
    const { clock, heating, presence, grid, meters, covers } = this.#parts
    const { cooling } = heating
    const { lock, isShared, outputs, supplies, suppliesAskedC, circuits, sgReady, hotWater } = heating.source
    const { hasBoiler } = outputs
    const hasSupply = supplies.length > 0
    const hasSource =
      [lock, meters, grid, sgReady, hotWater].some(({ isConfigured }) => isConfigured) ||
      covers.report !== undefined ||
      hasSupply ||
      hasBoiler ||
      isShared
    // What the agent that drives the outputs asks of the source is not known to one that stands by.
    if (!hasSource || presence.isStandingBy) return undefined
    const readings = meters.readings(monoMs)
    const supplyC = lock.supplyC(monoMs)
    return {
      lock: lock.reason,
      // To the minute and the degree: every change is a message.
      lost_s: 60 * Math.floor(lock.lostMs / 60_000),
      supply_c: supplyC === null ? null : Math.round(supplyC),
      ...(hasBoiler && { boiler: true }),
      ...(isShared && { heat_request: heating.source.request() }),
      ...(hasSupply && { supply_set_c: suppliesAskedC }),
      ...(circuits.length > 0 && { circuits }),
      ...(sgReady.isConfigured && { sg_ready_out: true }),
      ...hotWater.report(lock.makesHotWater(monoMs), monoMs),
      ...(cooling.settings && {
        cooling: {
          reported: cooling.reported,
          supply_c: supplyC === null ? null : Math.round(2 * supplyC) / 2,
          dew_contact: cooling.isWet,
        },
      }),
      ...grid.report(monoMs, clock.nowMs()),
      ...(covers.report && { covers: covers.report }),
      ...(readings.length > 0 && { meters: readings }),
    }
  }
}
