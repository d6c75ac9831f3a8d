import type { Random } from './random.ts'

/** A thermal actuator: nothing for the dead time, then a slow stroke. */
export type ActuatorKind = { deadS: number; strokeS: number }
export const THERMAL_ACTUATOR: ActuatorKind = { deadS: 60, strokeS: 180 }
export const RELAY: ActuatorKind = { deadS: 0, strokeS: 0 }

export class Actuator {
  readonly kind: ActuatorKind
  position = 0
  private wanted = 0
  private wantedForS = 0

  constructor(kind: ActuatorKind) {
    this.kind = kind
  }

  /** Returns the mean position over the step. */
  advance(dtS: number, open: number): number {
    if (open !== this.wanted) {
      this.wanted = open
      this.wantedForS = 0
    }
    const movingS = Math.max(0, this.wantedForS + dtS - Math.max(this.wantedForS, this.kind.deadS))
    this.wantedForS += dtS
    const before = this.position
    if (this.kind.strokeS === 0) this.position = open
    else {
      const travel = movingS / this.kind.strokeS
      this.position = open > before ? Math.min(open, before + travel) : Math.max(open, before - travel)
    }
    return this.kind.strokeS === 0 ? open : (before + this.position) / 2
  }
}

type SensorFaults = { lossShare: number; silent: boolean }

const BREATH_PCT = 30
const BREATH_GONE_S = 180

/** A room sensor: behind the truth, a little noisy, in steps, and not always heard. */
export class AirSensor {
  private laggedC: number
  private humidity = 45
  private breathPct = 0
  private sinceS = 0
  private readonly random: Random

  constructor(airC: number, random: Random) {
    this.laggedC = airC
    this.random = random
  }

  /** Warm and damp air, gone after some minutes. */
  breatheOn() {
    this.breathPct = BREATH_PCT
  }

  /** A packet every minute, unless it is lost. */
  advance(
    dtS: number,
    airC: number,
    outdoorC: number,
    faults: SensorFaults,
  ): { temperature: number; humidity: number } | null {
    this.laggedC += (airC - this.laggedC) * (1 - Math.exp(-dtS / 600))
    this.humidity += (Math.min(70, Math.max(20, 38 + 0.9 * outdoorC)) - this.humidity) * (1 - Math.exp(-dtS / 7200))
    this.breathPct *= Math.exp(-dtS / BREATH_GONE_S)
    this.sinceS += dtS
    if (this.sinceS < 60) return null
    this.sinceS %= 60
    const noiseK = 0.04 * this.random.gaussian()
    const lost = this.random.uniform() < faults.lossShare
    if (lost || faults.silent) return null
    return {
      temperature: Math.round((this.laggedC + noiseK) * 10) / 10,
      humidity: Math.round(Math.min(100, this.humidity + this.breathPct + this.random.gaussian())),
    }
  }
}
