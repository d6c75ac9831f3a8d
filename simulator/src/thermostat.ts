/** A thermostat of another make: on below its target, off above it, with its own programme. */
export class Hysteresis {
  private readonly targetC: (atMs: number) => number
  private readonly halfBandK: number
  isOn = false

  constructor(targetC: (atMs: number) => number, halfBandK = 0.3) {
    this.targetC = targetC
    this.halfBandK = halfBandK
  }

  measure(airC: number, atMs: number): boolean {
    const targetC = this.targetC(atMs)
    if (airC < targetC - this.halfBandK) this.isOn = true
    if (airC > targetC + this.halfBandK) this.isOn = false
    return this.isOn
  }
}
