import { comfortAt } from './comfort-range.ts'

const GAIN_PER_K = 0.6
const INTEGRAL_S = 8000
const ANTI_WINDUP = 0.9
const OFFSET_K = { home: 0.2, away: 5.5 }

/** The controller the test case comes with: proportional-integral from the operative temperature to the speed. */
export class Baseline {
  private integralK = 0

  step(yearS: number, operativeC: number, dtS: number): number {
    const { people, lowC } = comfortAt(yearS)
    const errorK = lowC + (people > 0 ? OFFSET_K.home : OFFSET_K.away) - operativeC
    const wanted = GAIN_PER_K * (errorK + this.integralK)
    const speed = Math.min(1, Math.max(0, wanted))
    this.integralK += (dtS / INTEGRAL_S) * (errorK + (speed - wanted) / (GAIN_PER_K * ANTI_WINDUP))
    return speed
  }
}
