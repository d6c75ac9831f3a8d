import type { PlantStep, Setpoint } from './plant.ts'

export type Score = {
  energyKwhM2: number
  lowKh: number
  highKh: number
  j: number
  /** The same with the air alone instead of what is felt; null where the plant does not tell it. */
  airJ: number | null
  /** Mean of what is felt minus the setpoint, in occupied hours. */
  offsetK: number
  /** Of the same hours. */
  rmseK: number
  overshootK: number
  /** Longest time below the band in one piece. */
  recoveryH: number
  switchesPerDay: number
  maxFloorC: number
}

export const PENALTY_PER_KH = 0.02

/** Adds up one stretch of a run. */
export class Scorer {
  private heatWh = 0
  private storedStartWh: number | null = null
  private storedWh = 0
  private lowKh = 0
  private highKh = 0
  private offsets = 0
  private squares = 0
  private occupiedH = 0
  private overshootK = 0
  private belowH = 0
  private longestBelowH = 0
  private openings = 0
  private airKh: number | null = 0
  private maxFloorC = Number.NEGATIVE_INFINITY
  private hours = 0

  /** `storedBeforeWh` is the content before the step, `opened` whether the command was to open the valve. */
  add(step: PlantStep, setpoint: Setpoint, dtS: number, opened: boolean, storedBeforeWh: number) {
    const dtH = dtS / 3600
    this.storedStartWh ??= storedBeforeWh
    this.storedWh = step.storedWhM2
    this.heatWh += step.heatWhM2
    const { low, high } = outsideBand(step.scoredC, setpoint)
    const air = step.airC === undefined ? null : outsideBand(step.airC, setpoint)
    this.airKh = this.airKh === null || air === null ? null : this.airKh + (air.low + air.high) * dtH
    this.lowKh += low * dtH
    this.highKh += high * dtH
    this.occupiedH += setpoint.occupied ? dtH : 0
    this.offsets += setpoint.occupied ? (step.scoredC - setpoint.targetC) * dtH : 0
    this.squares += setpoint.occupied ? (step.scoredC - setpoint.targetC) ** 2 * dtH : 0
    this.overshootK = Math.max(this.overshootK, high)
    this.belowH = low > 0 ? this.belowH + dtH : 0
    this.longestBelowH = Math.max(this.longestBelowH, this.belowH)
    this.openings += opened ? 1 : 0
    this.maxFloorC = Math.max(this.maxFloorC, step.floorC)
    this.hours += dtH
  }

  score(): Score {
    const energyKwhM2 = (this.heatWh - (this.storedWh - (this.storedStartWh ?? 0))) / 1000
    return {
      energyKwhM2,
      lowKh: this.lowKh,
      highKh: this.highKh,
      j: energyKwhM2 + PENALTY_PER_KH * (this.lowKh + this.highKh),
      airJ: this.airKh === null ? null : energyKwhM2 + PENALTY_PER_KH * this.airKh,
      offsetK: this.offsets / Math.max(1e-9, this.occupiedH),
      rmseK: Math.sqrt(this.squares / Math.max(1e-9, this.occupiedH)),
      overshootK: this.overshootK,
      recoveryH: this.longestBelowH,
      switchesPerDay: (24 * this.openings) / Math.max(1e-9, this.hours),
      maxFloorC: this.maxFloorC,
    }
  }
}

/** Cold counts always, heat only while people are there. */
function outsideBand(celsius: number, { targetC, bandK, occupied }: Setpoint): { low: number; high: number } {
  return {
    low: Math.max(0, targetC - bandK - celsius),
    high: occupied ? Math.max(0, celsius - targetC - bandK) : 0,
  }
}
