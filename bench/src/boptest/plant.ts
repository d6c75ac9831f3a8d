import type { Weather } from '@hypocaust/simulator'
import type { Plant, PlantStep, Setpoint } from '../comfort/plant.ts'
import { comfortAt } from './comfort-range.ts'
import { type BoptestHouse, type HouseStep, perM2 } from './house.ts'
import type { WeatherFile } from './reference.ts'
import { outdoorsAt } from './weather.ts'

/** Above the lower limit of comfort, as the baseline does it. */
const MARGIN_K = 0.2
const YEAR_MS = Date.UTC(2019, 0, 1)
const ZONE_MS = 3_600_000
export const LOCATION = { lat: 50.9, lng: 4.53 }

/** The house behind the interface of our plants: a valve that asks the heat pump to keep its heating curve. */
export class BoptestPlant implements Plant {
  last: HouseStep | null = null
  private readonly house: BoptestHouse
  private readonly file: WeatherFile
  private readonly startS: number

  constructor(house: BoptestHouse, file: WeatherFile) {
    this.house = house
    this.file = file
    this.startS = house.yearS
  }

  get startMs(): number {
    return YEAR_MS + this.startS * 1000 - ZONE_MS
  }

  advance({ dtS, open }: { dtS: number; open: number }): PlantStep {
    const step = this.house.advance({ kind: 'curve', open }, dtS)
    this.last = step
    return {
      sensorC: step.operativeC,
      sensorRh: null,
      scoredC: step.operativeC,
      floorC: step.floorC,
      heatWhM2: (perM2(step.heatW) * dtS) / 3600,
      storedWhM2: this.house.storedWhM2,
    }
  }

  weather(nowS: number, horizonS: number): { now: Weather; hourly: Weather[] } {
    const at = (aheadS: number) => this.weatherAt(this.startS + nowS + aheadS)
    return { now: at(0), hourly: Array.from({ length: Math.floor(horizonS / 3600) + 1 }, (_, hour) => at(3600 * hour)) }
  }

  setpoint(nowS: number): Setpoint {
    const { people, lowC } = comfortAt(this.startS + nowS)
    return { targetC: lowC + MARGIN_K, bandK: MARGIN_K, night: people === 0, occupied: people > 0 }
  }

  private weatherAt(yearS: number): Weather {
    const { outdoorC, windMs, cloudPct, globalWm2 } = outdoorsAt(this.file, yearS)
    return { outdoorC, windMs, windDeg: 0, cloudPct, solarWm2: globalWm2 }
  }
}
