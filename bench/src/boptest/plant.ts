import type { Weather } from '@hypocaust/simulator'
import type { Plant, PlantStep, Setpoint } from '../comfort/plant.ts'
import { type ComfortRange, comfortAt } from './comfort-range.ts'
import { type BoptestHouse, type HouseStep, perM2 } from './house.ts'
import type { WeatherFile } from './reference.ts'
import { outdoorsAt } from './weather.ts'

type Band = Pick<Setpoint, 'targetC' | 'bandK'>

const MARGIN_K = 0.2
/** A setpoint a little above the lower limit of comfort, as the baseline has it. */
export const nearLowerLimit = ({ lowC }: ComfortRange): Band => ({ targetC: lowC + MARGIN_K, bandK: MARGIN_K })
/** The whole range of comfort, for a law that uses its band. */
export const wholeRange = ({ lowC, highC }: ComfortRange): Band => ({
  targetC: (lowC + highC) / 2,
  bandK: (highC - lowC) / 2,
})
const YEAR_MS = Date.UTC(2019, 0, 1)
const ZONE_MS = 3_600_000
export const LOCATION = { lat: 50.9, lng: 4.53 }

/** The house behind the interface of our plants: a valve that asks the heat pump to keep its heating curve. */
export class BoptestPlant implements Plant {
  last: HouseStep | null = null
  private readonly house: BoptestHouse
  private readonly file: WeatherFile
  private readonly startS: number
  private readonly bandOf: (range: ComfortRange) => Band

  constructor(house: BoptestHouse, file: WeatherFile, bandOf = nearLowerLimit) {
    this.house = house
    this.file = file
    this.bandOf = bandOf
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
    const range = comfortAt(this.startS + nowS)
    const isHome = range.people > 0
    return { ...this.bandOf(range), night: !isHome, occupied: isHome }
  }

  private weatherAt(yearS: number): Weather {
    const { outdoorC, windMs, cloudPct, globalWm2 } = outdoorsAt(this.file, yearS)
    return { outdoorC, windMs, windDeg: 0, cloudPct, solarWm2: globalWm2 }
  }
}
