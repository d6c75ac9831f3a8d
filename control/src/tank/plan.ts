import type { HotWaterOrder } from '@hypocaust/domain'
import { capacityKwhK, lossKw } from './physics.ts'
import type { Charge, TankSettings, TankState } from './types.ts'

export type TankTask = {
  nowMs: number
  settings: TankSettings
  tank: Pick<TankState, 'tankC' | 'useKwh' | 'heatKw' | 'measuredMs' | 'ownStartC'>
  /** What the next charge is for, and by when it has to begin at the latest. */
  next: { kind: HotWaterOrder; latestMs: number }
  /** What a kWh of heat costs in the half hour from a moment on, by the temperature of the water, in any currency. */
  costFrom: (atMs: number) => (waterC: number) => number
  /** Whether the source may run. */
  mayRun: (atMs: number) => boolean
}

/** A way to go on: when the next charge begins, and what everything then costs. */
export type Candidate = { charge: Charge | null; cost: number }

const STEP_MS = 1_800_000
const STEP_H = 0.5
const STEPS = 72
const LEAST_C = 10
const LEVELS = 70
/** People take more than they usually do, and a shower that nobody foresaw. Without a measurement nobody sees either. */
const CAUTION = { measured: 1.2, unmeasured: 1.6 }
const MARGIN_KWH = 1.2
/**
 * Of a kWh on the mean: of each K·h below what is needed, and of a start. A kWh of a heat pump is about 7 ct: a compressor
 * that is to last for a hundred thousand starts, and the warm-up of each, make about 10 ct.
 */
const MISSED = 50
const START = 1.5
/** So that the tank stays as hot as disinfection asks for while it lasts. */
const ABOVE_K = 1
/** Heat left at the end replaces other heat, but for what is lost until then. */
const LEFT = 0.9

type Step = { atMs: number; useKwh: number; neededC: number | null; mayRun: boolean; cost: (waterC: number) => number }
type Moved = { tankC: number; heatMs: number; cost: number; isFull: boolean }

/** Whether the tank is below what is needed now. */
export const isTooCold = ({ nowMs, settings, tank }: Pick<TankTask, 'nowMs' | 'settings' | 'tank'>): boolean =>
  settings.isWished(nowMs) && tank.tankC < neededC(settings)

const neededC = (settings: TankSettings): number =>
  Math.min(settings.tapC + MARGIN_KWH / capacityKwhK(settings), settings.fullC - 1)

/** The tank in half hours: what it costs from each of them on, by its temperature. */
export class TankPlan {
  readonly #steps: Step[]
  readonly #task: TankTask
  readonly #capacity: number
  readonly #mean: number
  /** By step and temperature, for a tank that is not being charged, and one that is. */
  readonly #idle: Float64Array[] = []
  readonly #charging: Float64Array[] = []

  constructor(task: TankTask) {
    const { settings, tank, nowMs } = task
    this.#task = task
    this.#capacity = capacityKwhK(settings)
    const caution = tank.measuredMs === null ? CAUTION.unmeasured : CAUTION.measured
    this.#steps = Array.from({ length: STEPS }, (_, k) => {
      const atMs = nowMs + k * STEP_MS
      const isNeeded = settings.isWished(atMs) || settings.isWished(atMs + STEP_MS - 1)
      return {
        atMs,
        useKwh: caution * STEP_H * (tank.useKwh[settings.hourOf(atMs + STEP_MS / 2)] as number),
        neededC: isNeeded ? neededC(settings) : null,
        cost: task.costFrom(atMs),
        mayRun: task.mayRun(atMs),
      }
    })
    this.#mean = this.meanCost(settings.fullC)
    this.#solve()
  }

  /** For every moment at which the next charge can begin, what it costs until the end of the horizon; and for none at all. */
  candidates(): Candidate[] {
    const { tank, next } = this.#task
    const candidates: Candidate[] = []
    let { tankC } = tank
    let spent = 0
    for (const [k, { atMs, mayRun }] of this.#steps.entries()) {
      if (atMs > next.latestMs && candidates.length > 0) return candidates
      if (mayRun) candidates.push(this.#chargedFrom(k, tankC, spent))
      const idle = this.#move(k, tankC, null)
      tankC = idle.tankC
      spent += idle.cost
      if (this.#beginsItself(tankC) && k + 1 < STEPS) return [...candidates, this.#chargedFrom(k + 1, tankC, spent)]
    }
    return [...candidates, { charge: null, cost: spent - this.#leftOver(tankC) }]
  }

  /** What a kWh of heat in water of this temperature costs on the mean. */
  meanCost(waterC: number): number {
    return this.#steps.reduce((sum, { cost }) => sum + cost(waterC), 0) / STEPS
  }

  /** The charges that follow one, as the cheapest way on has them. */
  after(charge: Charge): Charge[] {
    const { nowMs, settings } = this.#task
    const charges: Charge[] = []
    let tankC = charge.toC
    let isCharging = false
    for (let k = Math.max(0, Math.ceil((charge.untilMs - nowMs) / STEP_MS)); k < STEPS; k++) {
      const starts: boolean = !isCharging && (this.#isStart(k, tankC) || this.#beginsItself(tankC))
      const atMs = nowMs + k * STEP_MS
      if (starts) charges.push({ kind: 'charge', fromMs: atMs, untilMs: atMs, toC: settings.fullC })
      const moved = this.#move(k, tankC, isCharging || starts ? settings.fullC : null)
      const current = charges.at(-1)
      if (current && (isCharging || starts)) current.untilMs = atMs + moved.heatMs
      isCharging = (isCharging || starts) && !moved.isFull
      tankC = moved.tankC
    }
    return charges
  }

  /** `toC`: it is heated to that during the step. */
  #move(k: number, tankC: number, toC: number | null): Moved {
    const { useKwh, neededC, cost } = this.#steps[k] as Step
    const { settings, tank } = this.#task
    const restC = Math.max(LEAST_C, tankC - (useKwh + STEP_H * lossKw(settings, tankC)) / this.#capacity)
    const heatKwh = toC === null ? 0 : Math.min(STEP_H * tank.heatKw, Math.max(0, toC - restC) * this.#capacity)
    const afterC = restC + heatKwh / this.#capacity
    const missedK = neededC === null ? 0 : Math.max(0, neededC - afterC)
    return {
      tankC: afterC,
      heatMs: (heatKwh / tank.heatKw) * 3_600_000,
      cost: heatKwh * cost((restC + afterC) / 2) + MISSED * this.#mean * STEP_H * missedK,
      isFull: toC !== null && afterC > toC - 0.1,
    }
  }

  #leftOver(tankC: number): number {
    return LEFT * this.#mean * this.#capacity * (tankC - LEAST_C)
  }

  /** The next charge from this step on, all the way to its temperature. */
  #chargedFrom(from: number, atC: number, spent: number): Candidate {
    const { settings, next, nowMs, tank } = this.#task
    const toC = next.kind === 'disinfect' ? (settings.disinfectC ?? settings.fullC) + ABOVE_K : settings.fullC
    let tankC = atC
    let cost = spent + START * this.#mean
    let k = from
    let isFull = false
    while (k < STEPS && !isFull) {
      const moved = this.#move(k, tankC, toC)
      tankC = moved.tankC
      isFull = moved.isFull
      cost += moved.cost
      k++
    }
    const fromMs = nowMs + from * STEP_MS
    const lastsMs = (Math.max(0, toC - atC) * this.#capacity * 3_600_000) / tank.heatKw
    const untilMs = Math.max(fromMs + lastsMs, nowMs + (k - 1) * STEP_MS)
    return { charge: { kind: next.kind, fromMs, untilMs, toC }, cost: cost + this.#valueAt(this.#idle, k, tankC) }
  }

  #isStart(k: number, tankC: number): boolean {
    if (!(this.#steps[k] as Step).mayRun) return false
    return this.#begun(k, tankC) < this.#waited(k, tankC)
  }

  /** Below the temperature at which its source begins by itself a tank is heated at whatever price. */
  #beginsItself(tankC: number): boolean {
    const { ownStartC } = this.#task.tank
    return ownStartC !== null && tankC < ownStartC
  }

  #waited(k: number, tankC: number): number {
    const idle = this.#move(k, tankC, null)
    const begins = this.#beginsItself(idle.tankC)
    const later = this.#valueAt(begins ? this.#charging : this.#idle, k + 1, idle.tankC)
    return idle.cost + (begins ? START * this.#mean : 0) + later
  }

  #begun(k: number, tankC: number): number {
    return START * this.#mean + this.#valueAt(this.#charging, k, tankC)
  }

  #solve(): void {
    const level = (i: number) => LEAST_C + i
    this.#idle[STEPS] = Float64Array.from({ length: LEVELS }, (_, i) => -this.#leftOver(level(i)))
    this.#charging[STEPS] = this.#idle[STEPS]
    for (let k = STEPS - 1; k >= 0; k--) {
      this.#charging[k] = Float64Array.from({ length: LEVELS }, (_, i) => {
        const moved = this.#move(k, level(i), this.#task.settings.fullC)
        return moved.cost + this.#valueAt(moved.isFull ? this.#idle : this.#charging, k + 1, moved.tankC)
      })
      this.#idle[k] = Float64Array.from({ length: LEVELS }, (_, i) => {
        const waits = this.#waited(k, level(i))
        return (this.#steps[k] as Step).mayRun ? Math.min(waits, this.#begun(k, level(i))) : waits
      })
    }
  }

  #valueAt(values: Float64Array[], k: number, tankC: number): number {
    const row = values[k] as Float64Array
    const at = Math.min(LEVELS - 1.001, Math.max(0, tankC - LEAST_C))
    const i = Math.floor(at)
    return (row[i] as number) + (at - i) * ((row[i + 1] as number) - (row[i] as number))
  }
}
