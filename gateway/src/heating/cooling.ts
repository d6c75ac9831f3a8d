import type { HeldOff } from '@hypocaust/domain'
import { DEW_MARGIN_K, dewPointC, HUMIDITY_COUNTS_MS } from '@hypocaust/domain/facts'
import type { Heard } from '../adapters/adapter.ts'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../base/store.ts'
import type { ContactSettings, CoolingSettings } from '../config/settings.ts'
import { contactKey, isClosedBy } from '../inputs/value.ts'

/** A loop that was shut opens again this much further from the dew point. */
const HYSTERESIS_K = 0.5
/** Asked for while no command gives another temperature: above the dew point of any room that people stay in. */
const NOTHING_ASKED_C = 24

interface CoolingParts {
  settings: { cooling: CoolingSettings | null }
  clock: Clock
  store: Pick<Store, 'get' | 'put'>
  /** Of the water that flows; null where it is not known. */
  supplyC(nowMs: number): number | null
}

/** What is cold where a loop is open. */
interface Loop {
  sensorIds: readonly string[]
  floorC: number | null
  wasShut: boolean
}

/**
 * The wall in front of condensation, without the service: while the source cools, a loop may be open only as long as the
 * humidity of its room and the temperature of the water are known and far enough apart.
 */
export class Cooling {
  readonly #parts: CoolingParts
  readonly #dewC = new Map<string, { c: number; atMs: number }>()
  #watched: ReadonlySet<string> = new Set()
  #wetContacts: ReadonlySet<string> = new Set()
  #reported: boolean | null = null

  constructor(parts: CoolingParts) {
    this.#parts = parts
  }

  get settings(): CoolingSettings | null {
    return this.#parts.settings.cooling
  }

  get subscriptions(): string[] {
    return this.#contacts.map(({ topic }) => topic)
  }

  /** What the source or a changeover contact has reported last; null where nothing has. */
  get reported(): boolean | null {
    return this.#reported
  }

  get isWet(): boolean {
    return this.#wetContacts.size > 0
  }

  /** What reports only changes has not changed by a restart. */
  start(): void {
    const { settings } = this
    if (settings?.reported) this.#reported = this.#parts.store.get<boolean | null>('cooling_reported') ?? null
    const known = new Set(settings?.dewContacts.map(contactKey))
    const kept = this.#parts.store.get<string[]>('wet_contacts') ?? []
    this.#wetContacts = new Set(kept.filter((key) => known.has(key)))
  }

  watch(sensorIds: Iterable<string>): void {
    this.#watched = new Set(sensorIds)
    for (const id of this.#dewC.keys()) if (!this.#watched.has(id)) this.#dewC.delete(id)
  }

  /** A reading counts from the moment it was measured, not from its arrival. */
  hear({ id, temperature, humidity, measuredMs }: Heard): void {
    if (!this.#watched.has(id) || humidity === null || !(humidity > 0 && humidity <= 100)) return
    const { clock } = this.#parts
    const atMs = clock.monotonicMs() - Math.max(0, clock.nowMs() - measuredMs)
    const before = this.#dewC.get(id)
    if (!Number.isFinite(temperature + atMs) || (before && atMs < before.atMs)) return
    this.#dewC.set(id, { c: dewPointC(temperature, humidity), atMs })
  }

  receive(topic: string, payload: Uint8Array): void {
    const { settings } = this
    if (!settings) return
    if (settings.reported?.topic === topic) this.#noteReported(isClosedBy(settings.reported, payload))
    for (const contact of settings.dewContacts.filter((each) => each.topic === topic)) {
      const isWet = isClosedBy(contact, payload)
      if (isWet !== undefined) this.#noteContact(contactKey(contact), isWet)
    }
  }

  /** Why a loop must be shut; null while it may be open. */
  shuts({ sensorIds, floorC, wasShut }: Loop, nowMs: number): HeldOff | null {
    if (this.isWet) return 'dew_point'
    const dewC = this.#dewPointC(sensorIds, nowMs)
    if (dewC === null) return 'humidity_unknown'
    const waterC = this.#parts.supplyC(nowMs)
    if (waterC === null || !Number.isFinite(waterC)) return 'supply_unknown'
    const leastC = dewC + DEW_MARGIN_K.least + (wasShut ? HYSTERESIS_K : 0)
    const coldestC = Math.min(waterC, floorC ?? Number.POSITIVE_INFINITY)
    // Written so that what is no number shuts.
    return coldestC > leastC ? null : 'dew_point'
  }

  /** What the source is asked for: never water that is within the margin of the highest dew point of these sensors. */
  supplyC(commandedC: number | null, sensorIds: readonly string[]): number {
    const highestC = Math.max(...sensorIds.flatMap((id) => this.#dewC.get(id)?.c ?? []))
    const minSupplyC = this.settings?.minSupplyC ?? NOTHING_ASKED_C
    return Math.max(minSupplyC, commandedC ?? NOTHING_ASKED_C, highestC + DEW_MARGIN_K.least)
  }

  /** Of several sensors of a room the dampest counts; null where none has reported its humidity lately. */
  #dewPointC(sensorIds: readonly string[], nowMs: number): number | null {
    const known = sensorIds.flatMap((id) => this.#dewC.get(id) ?? [])
    const lately = known.filter(({ atMs }) => nowMs - atMs <= HUMIDITY_COUNTS_MS)
    return lately.length > 0 ? Math.max(...lately.map(({ c }) => c)) : null
  }

  #noteReported(cools: boolean | undefined): void {
    if (cools === undefined || cools === this.#reported) return
    this.#reported = cools
    this.#parts.store.put('cooling_reported', cools)
  }

  #noteContact(key: string, isWet: boolean): void {
    if (this.#wetContacts.has(key) === isWet) return
    const others = [...this.#wetContacts].filter((each) => each !== key)
    this.#wetContacts = new Set(isWet ? [...others, key] : others)
    this.#parts.store.put('wet_contacts', [...this.#wetContacts])
  }

  get #contacts(): ContactSettings[] {
    const { settings } = this
    return settings ? [...settings.dewContacts, ...(settings.reported ? [settings.reported] : [])] : []
  }
}
