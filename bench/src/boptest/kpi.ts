import { comfortAt } from './comfort-range.ts'
import { type HouseStep, perM2 } from './house.ts'

export type Kpis = {
  /** K·h outside the comfort range. */
  tdisTot: number
  /** Electricity, kWh/m². */
  enerTot: number
  /** The K·h of the worst day, and which of the scored days it was. */
  worstDay: { day: number; tdis: number }
  /** Mean operative temperature while people are there. */
  homeC: number
}

export class KpiSum {
  private readonly discomfortKh: number[] = []
  private energyKwhM2 = 0
  private homeKh = 0
  private homeH = 0

  /** `day` is the number of the scored day, from 1. */
  add(day: number, yearS: number, { operativeC, electricW }: HouseStep, dtS: number) {
    const { people, lowC, highC } = comfortAt(yearS)
    const dtH = dtS / 3600
    const discomfortKh = dtH * (Math.max(0, lowC - operativeC) + Math.max(0, operativeC - highC))
    this.discomfortKh[day - 1] = (this.discomfortKh[day - 1] ?? 0) + discomfortKh
    this.energyKwhM2 += (dtH * perM2(electricW)) / 1000
    this.homeKh += people > 0 ? dtH * operativeC : 0
    this.homeH += people > 0 ? dtH : 0
  }

  kpis(): Kpis {
    const worst = Math.max(0, ...this.discomfortKh)
    return {
      tdisTot: this.discomfortKh.reduce((sum, kh) => sum + kh, 0),
      worstDay: { day: this.discomfortKh.indexOf(worst) + 1, tdis: worst },
      enerTot: this.energyKwhM2,
      homeC: this.homeKh / Math.max(1e-9, this.homeH),
    }
  }
}
