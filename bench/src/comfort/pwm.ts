/** Opens for a share of each cycle; what the step's length rounds away is made up in the next cycle. */
export class Pwm {
  private readonly cycleS: number
  private readonly stepS: number
  private elapsedS = 0
  private openS = 0
  private wantedS = 0
  private carryS = 0

  constructor(cycleS: number, stepS: number) {
    this.cycleS = cycleS
    this.stepS = stepS
  }

  get atStart(): boolean {
    return this.elapsedS === 0
  }

  /** `share` is read at the start of a cycle. */
  step(share: number): 0 | 1 {
    if (this.elapsedS === 0) {
      const exactS = share * this.cycleS + this.carryS
      this.wantedS = Math.min(this.cycleS, Math.max(0, Math.round(exactS / this.stepS) * this.stepS))
      this.carryS = Math.max(-this.stepS, Math.min(this.stepS, exactS - this.wantedS))
      this.openS = 0
    }
    const open = this.openS < this.wantedS ? 1 : 0
    this.openS += open * this.stepS
    this.elapsedS = (this.elapsedS + this.stepS) % this.cycleS
    return open
  }
}
