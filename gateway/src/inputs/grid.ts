import type { Series, SgReady, SourceReport } from '@hypocaust/domain'
import { PowerLimitInput, type PowerLimitSettings } from './power-limit.ts'
import { type SeriesSource, SubscribedSeries } from './series.ts'
import { isClosedBy, SubscribedValue, type ValueSource } from './value.ts'

interface ContactSettings {
  topic: string
  path: string | null
  on: string
}

/** What the grid operator and the roof of the house say. */
export interface GridSettings {
  sgReady: [ContactSettings, ContactSettings] | null
  surplus: ValueSource | null
  surplusForecast: SeriesSource | null
  prices: SeriesSource | null
  powerLimit: PowerLimitSettings | null
}

interface GridReport {
  sg_ready?: SgReady | null
  surplus_w?: number | null
  surplus_forecast?: Series | null
  prices?: Series | null
  power_limit?: NonNullable<SourceReport['power_limit']> | null
}

/** A state that is not repeated for so long is not believed any more: no room is to go cold because of a lost message. */
const CONTACT_COUNTS_MS = 3 * 3_600_000
const SURPLUS_COUNTS_MS = 900_000
/** Every change is a message: the surplus is reported in steps, and no more often than this. */
const SURPLUS_EVERY_MS = 300_000
const SURPLUS_STEP_W = 250
const PRICE_DIGITS = 1e5

/** By contact 1 and contact 2, as SG-Ready numbers them. */
const STATES: Record<string, SgReady> = { '10': 'locked', '00': 'normal', '01': 'recommended', '11': 'forced' }

export class GridInputs {
  readonly #settings: GridSettings
  readonly #surplus: SubscribedValue | null
  readonly #forecast: SubscribedSeries | null
  readonly #prices: SubscribedSeries | null
  readonly #powerLimit: PowerLimitInput | null
  readonly #contacts: ({ isOn: boolean; atMs: number } | null)[] = [null, null]
  #reported: { w: number | null; atMs: number } | null = null

  constructor(settings: GridSettings, complain: (text: string) => void) {
    this.#settings = settings
    const { surplusForecast, prices, powerLimit } = settings
    this.#powerLimit = powerLimit && new PowerLimitInput(powerLimit)
    this.#forecast = surplusForecast && new SubscribedSeries(surplusForecast, inSteps, complain)
    this.#prices =
      prices && new SubscribedSeries(prices, (price) => Math.round(price * PRICE_DIGITS) / PRICE_DIGITS, complain)
    this.#surplus = settings.surplus && new SubscribedValue(settings.surplus, 'powerW')
  }

  get isConfigured(): boolean {
    return Object.values(this.#settings).some((input) => input !== null)
  }

  get subscriptions(): string[] {
    return [
      ...(this.#settings.sgReady ?? []).map(({ topic }) => topic),
      ...[this.#surplus, this.#forecast, this.#prices, this.#powerLimit].flatMap((input) => input?.subscriptions ?? []),
    ]
  }

  receive(topic: string, payload: Uint8Array, nowMs: number): void {
    this.#surplus?.receive(topic, payload, nowMs)
    this.#forecast?.receive(topic, payload)
    this.#prices?.receive(topic, payload)
    this.#powerLimit?.receive(topic, payload, nowMs)
    for (const [i, contact] of (this.#settings.sgReady ?? []).entries()) {
      if (contact.topic !== topic) continue
      const isOn = isClosedBy(contact, payload)
      if (isOn !== undefined) this.#contacts[i] = { isOn, atMs: nowMs }
    }
  }

  /** For `up/source`: only what is configured. */
  report(nowMs: number, wallMs: number): GridReport {
    return {
      ...(this.#settings.sgReady && { sg_ready: this.#sgReady(nowMs) }),
      ...(this.#surplus && { surplus_w: this.#surplusW(nowMs) }),
      ...(this.#forecast && { surplus_forecast: this.#forecast.ahead(wallMs) }),
      ...(this.#prices && { prices: this.#prices.ahead(wallMs) }),
      ...(this.#powerLimit && { power_limit: this.#powerLimit.report(nowMs, wallMs) }),
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
      w: w === null ? null : inSteps(w),
      atMs: nowMs,
    }
    return this.#reported.w
  }
}

const inSteps = (w: number): number => Math.max(0, SURPLUS_STEP_W * Math.floor(w / SURPLUS_STEP_W))
