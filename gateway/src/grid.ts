import type { SgReady } from '@hypocaust/domain'
import { HeardValue, type ValueSource, valueAt } from './value.ts'

export interface ContactSettings {
  topic: string
  path: string | null
  on: string
}

/** What the grid operator and the roof of the house say. */
export interface GridSettings {
  sgReady: [ContactSettings, ContactSettings] | null
  surplus: ValueSource | null
}

/** A state that is not repeated for so long is not believed any more: no room is to go cold because of a lost message. */
const CONTACT_COUNTS_MS = 3 * 3_600_000
const SURPLUS_COUNTS_MS = 900_000
/** Every change is a message: the surplus is reported in steps, and no more often than this. */
const SURPLUS_EVERY_MS = 300_000
const SURPLUS_STEP_W = 250

/** By contact 1 and contact 2, as SG-Ready numbers them. */
const STATES: Record<string, SgReady> = { '10': 'locked', '00': 'normal', '01': 'recommended', '11': 'forced' }

export class GridInputs {
  readonly #settings: GridSettings
  readonly #surplus: HeardValue | null
  readonly #contacts: ({ isOn: boolean; atMs: number } | null)[] = [null, null]
  #reported: { w: number | null; atMs: number } | null = null

  constructor(settings: GridSettings) {
    this.#settings = settings
    this.#surplus = settings.surplus && new HeardValue(settings.surplus)
  }

  get isConfigured(): boolean {
    return this.#settings.sgReady !== null || this.#surplus !== null
  }

  get subscriptions(): string[] {
    return [...(this.#settings.sgReady ?? []).map(({ topic }) => topic), ...(this.#surplus?.subscriptions ?? [])]
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    this.#surplus?.receive(topic, payload, nowMs)
    for (const [i, contact] of (this.#settings.sgReady ?? []).entries()) {
      if (contact.topic !== topic) continue
      const said = valueAt(payload, contact.path)
      if (said !== undefined) this.#contacts[i] = { isOn: String(said) === contact.on, atMs: nowMs }
    }
  }

  /** For `up/source`: only what is configured. */
  report(nowMs: number): { sg_ready?: SgReady | null; surplus_w?: number | null } {
    return {
      ...(this.#settings.sgReady && { sg_ready: this.#sgReady(nowMs) }),
      ...(this.#surplus && { surplus_w: this.#surplusW(nowMs) }),
    }
  }

  #sgReady(nowMs: number): SgReady | null {
    const bits = this.#contacts.map((contact) =>
      contact && nowMs - contact.atMs <= CONTACT_COUNTS_MS ? (contact.isOn ? '1' : '0') : null,
    )
    return bits.includes(null) ? null : (STATES[bits.join('')] ?? null)
  }

  #surplusW(nowMs: number): number | null {
    if (this.#reported && nowMs - this.#reported.atMs < SURPLUS_EVERY_MS) return this.#reported.w
    const w = this.#surplus?.valueWithin(SURPLUS_COUNTS_MS, nowMs) ?? null
    this.#reported = {
      w: w === null ? null : Math.max(0, SURPLUS_STEP_W * Math.floor(w / SURPLUS_STEP_W)),
      atMs: nowMs,
    }
    return this.#reported.w
  }
}
