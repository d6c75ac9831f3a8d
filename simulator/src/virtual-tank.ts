import type { HotWaterOrder } from '@hypocaust/domain'
import { DAY_MS, HOUR_MS } from '@hypocaust/domain/facts'
import { seededRandom } from './random.ts'

export type TankPlan = {
  seed: number
  volumeL: number
  /** Below the first its source heats it by itself, to the second. */
  startC: number
  fullC: number
  disinfectC: number
  heatKw: number
  people: number
}

type Draw = { atMs: number; untilMs: number; kw: number }

const KWH_PER_L_K = 0.001163
const AROUND_C = 18
const LOSS_W_PER_K = 1.8
/** Hours at which somebody takes a shower, or washes up, and what that takes. */
const SHOWERS = { hours: [6, 6.6, 7.2, 20, 20.8, 21.5], kwh: 1, lastsMs: 8 * 60_000 }
const SMALL = { times: 6, kwh: 0.08, lastsMs: 2 * 60_000 }

/** A tank of hot water and the household that draws from it. Its source keeps it warm by itself, and takes orders. */
export class VirtualTank {
  readonly plan: TankPlan
  tankC: number
  isBusy = false
  #toC: number
  #draws: Draw[] = []
  #day: number | null = null
  #hasOrder = false

  constructor(plan: TankPlan) {
    this.plan = plan
    this.tankC = plan.fullC
    this.#toC = plan.fullC
  }

  /** An order begins a charge once; its end by itself does not begin it again. */
  order(kind: HotWaterOrder | null): void {
    if (kind !== null && !this.#hasOrder) this.#begin(kind === 'disinfect' ? this.plan.disinfectC : this.plan.fullC)
    if (kind === null && this.#hasOrder) this.isBusy = false
    this.#hasOrder = kind !== null
  }

  /** Moves it on by `dtS` and returns the heat that its source has given, in kWh. `mayHeat`: nothing locks the source. */
  advance(nowMs: number, dtS: number, mayHeat = true): number {
    const { volumeL, heatKw, startC } = this.plan
    const capacity = volumeL * KWH_PER_L_K
    const hours = dtS / 3600
    if (!this.isBusy && this.tankC < startC) this.#begin(this.plan.fullC)
    const heats = this.isBusy && mayHeat
    const heatKwh = heats ? Math.min(hours * heatKw, Math.max(0, this.#toC - this.tankC) * capacity) : 0
    const lostKwh = hours * ((LOSS_W_PER_K / 1000) * (this.tankC - AROUND_C) + this.#drawnKw(nowMs))
    this.tankC += (heatKwh - lostKwh) / capacity
    if (this.isBusy && this.tankC >= this.#toC - 0.05) this.isBusy = false
    return heatKwh
  }

  #begin(toC: number): void {
    this.isBusy = true
    this.#toC = toC
  }

  #drawnKw(nowMs: number): number {
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day) this.#draws = this.#drawsOf(day)
    this.#day = day
    return this.#draws.reduce((sum, { atMs, untilMs, kw }) => sum + (nowMs >= atMs && nowMs < untilMs ? kw : 0), 0)
  }

  #drawsOf(day: number): Draw[] {
    const { seed, people } = this.plan
    const random = seededRandom(seed * 7919 + day)
    const drawAt = (hour: number, { kwh, lastsMs }: { kwh: number; lastsMs: number }): Draw => {
      const atMs = day * DAY_MS + hour * HOUR_MS
      return { atMs, untilMs: atMs + lastsMs, kw: (kwh * HOUR_MS) / lastsMs }
    }
    const showers = Array.from({ length: people }, () => {
      const hour = SHOWERS.hours[Math.floor(random.uniform() * SHOWERS.hours.length)] as number
      return drawAt(hour + random.uniform() - 0.5, { ...SHOWERS, kwh: SHOWERS.kwh * (0.6 + 0.8 * random.uniform()) })
    })
    const small = Array.from({ length: SMALL.times }, () => drawAt(7 + 15 * random.uniform(), SMALL))
    return [...showers, ...small]
  }
}
